//! Parallel loops on a pool of threads that spin for a moment before they park.
//!
//! One loop runs at a time. Its owner writes the job, opens as many seats as there are threads to spare, and
//! works itself. Each thread has a region of the chunks, the same one in each loop, so that what it reads is
//! what it wrote in the loop before, in its own cache; who is done goes on with the regions of others, so
//! that a descheduled thread delays nobody. A worker joins by turning a seat into a presence in one atomic
//! step; whoever finds all regions exhausted closes the remaining seats; the owner returns when nobody is
//! present. It never waits for a thread that has not joined, so a loop also ends when the workers are asleep,
//! could not be started, or vanished in a fork.
//!
//! A loop that starts while another one runs (a nested one, or one of another thread) runs where it stands.

use crate::context::Context;
use std::{
    cell::UnsafeCell,
    ffi::c_void,
    hint, ptr,
    sync::{
        Condvar, Mutex,
        atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::*},
    },
    thread,
};

/// The body of a parallel loop: runs the iterations `lo..hi` on what is captured, in the call of a context.
pub type Body = extern "C" fn(context: Option<&Context>, captured: *mut c_void, lo: i64, hi: i64);

/// More threads than this are never started.
const MAX_THREADS: usize = 1024;
/// Chunks per thread: enough to even out threads of unequal speed, few enough to keep the counters cool.
const CHUNKS_PER_THREAD: i64 = 4;
/// How long a worker spins before it parks, and the owner before it yields: some 100 us, many launches long.
const SPINS: u32 = 4000;
/// Seats are counted in the upper half of the state, threads at work in the lower half.
const SEAT: u32 = 1 << 16;
const PRESENT: u32 = 1;
const SEATS: u32 = !(SEAT - 1);

struct Job {
    body: Body,
    context: *const Context,
    captured: *mut c_void,
    n: i64,
    chunk: i64,
    chunks: i64,
    /// How many jobs there were before it.
    number: u64,
    /// How many regions its chunks are in.
    regions: usize,
}

/// How many chunks of a region are handed out, in the low bits, of the job whose number is in the others: who
/// comes first finds an older number, which is none.
#[repr(align(64))]
struct Region(AtomicU64);

/// Bits for the chunks of a region: a job has at most twice [`CHUNKS_PER_THREAD`] of them a thread.
const TAKEN: u32 = 16;

impl Region {
    /// The next of so many chunks of a job, by its number in the region.
    fn take(&self, job: u64, count: i64) -> Option<i64> {
        let mut seen = self.0.load(Relaxed);
        loop {
            let taken = if seen >> TAKEN == job { seen & ((1 << TAKEN) - 1) } else { 0 };
            if taken as i64 >= count {
                return None;
            }
            match self.0.compare_exchange_weak(seen, (job << TAKEN) + taken + 1, Relaxed, Relaxed) {
                Ok(_) => return Some(taken as i64),
                Err(now) => seen = now,
            }
        }
    }
}

/// Written by the owner while no seat is open and nobody is present; read by those present.
struct JobCell(UnsafeCell<Job>);
// SAFETY: the protocol of `STATE` separates the writes from the reads.
unsafe impl Sync for JobCell {}

extern "C" fn nothing(_: Option<&Context>, _: *mut c_void, _: i64, _: i64) {}

static JOB: JobCell = JobCell(UnsafeCell::new(Job {
    body: nothing,
    context: ptr::null(),
    captured: ptr::null_mut(),
    n: 0,
    chunk: 1,
    chunks: 0,
    number: 0,
    regions: 1,
}));
static REGIONS: [Region; MAX_THREADS] = [const { Region(AtomicU64::new(0)) }; MAX_THREADS];
/// Open seats and present workers of the running job.
static STATE: AtomicU32 = AtomicU32::new(0);
/// Held by the owner of the running job.
static BUSY: AtomicBool = AtomicBool::new(false);
/// The number of threads asked for; 0 until it is known.
static THREADS: AtomicUsize = AtomicUsize::new(0);
/// Workers started so far; changed by the holder of `BUSY`.
static WORKERS: AtomicUsize = AtomicUsize::new(0);
static PARKED: AtomicUsize = AtomicUsize::new(0);
static PARKING: Mutex<()> = Mutex::new(());
static WAKE: Condvar = Condvar::new();

/// Runs `body(context, captured, lo, hi)` on pieces that cover `0..n`, each index in exactly one, and returns
/// when all are done.
///
/// Every `lo` is a multiple of `grain`, the least number of iterations worth handing out; so is every `hi`
/// but the last. A loop of at most `grain` iterations, a nested one, and one beside another thread's run as a
/// single piece on the calling thread. The pieces run in any order: the body must not depend on how the range
/// is cut.
#[unsafe(no_mangle)]
pub extern "C" fn terrace_rt_parallel_for(
    context: Option<&Context>,
    body: Body,
    captured: *mut c_void,
    n: i64,
    grain: i64,
) {
    let grain = grain.max(1);
    let wanted = context.map_or(0, |context| context.threads.load(Relaxed));
    let threads = if wanted > 0 { wanted.min(MAX_THREADS as i64) } else { threads() };
    if n <= 0 {
        return;
    }
    if n <= grain || threads == 1 || BUSY.swap(true, Acquire) {
        return body(context, captured, 0, n);
    }
    let share = n / (threads * CHUNKS_PER_THREAD);
    let chunk = (share / grain).max(1).saturating_mul(grain);
    let chunks = (n - 1) / chunk + 1;
    let own = context.map_or(ptr::null(), ptr::from_ref);
    let helpers = start_workers(threads as usize - 1).min(chunks as usize - 1);
    // SAFETY: the last owner left with no seat open and nobody present, and `BUSY` keeps other owners out.
    unsafe {
        let number = (*JOB.0.get()).number + 1;
        *JOB.0.get() = Job { body, context: own, captured, n, chunk, chunks, number, regions: helpers + 1 };
    }
    STATE.store(helpers as u32 * SEAT, SeqCst);
    wake(helpers);
    work(0);
    let mut spins = 0;
    while STATE.load(Acquire) != 0 {
        if spins < SPINS {
            spins += 1;
            hint::spin_loop();
        } else {
            thread::yield_now();
        }
    }
    BUSY.store(false, Release);
}

/// Sets the number of threads of loops whose context says none, the caller's included; 0 returns to the
/// default.
pub fn set_threads(threads: usize) {
    let threads = if threads == 0 { default_threads() } else { threads };
    THREADS.store(threads.min(MAX_THREADS), Relaxed);
}

/// The number of threads of loops whose context says none: what was set, else `TERRACE_THREADS`, else the
/// number of usable cores.
pub fn threads() -> i64 {
    if THREADS.load(Relaxed) == 0 {
        // Another thread may set a number meanwhile: that one stays.
        _ = THREADS.compare_exchange(0, default_threads().min(MAX_THREADS), Relaxed, Relaxed);
    }
    THREADS.load(Relaxed) as i64
}

fn default_threads() -> usize {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let Some(value) = std::env::var_os("TERRACE_THREADS") else { return cores() };
    match value.to_str().and_then(|v| v.trim().parse().ok()) {
        Some(n @ 1..) => n,
        _ => {
            crate::context::warn(format_args!(
                "TERRACE_THREADS is {value:?}, not a number of threads: ignored"
            ));
            cores()
        }
    }
}

/// Takes chunks of the running job until none is left, then closes it: those of a thread's own region first.
/// The caller owns the job or is present.
fn work(thread: usize) {
    // SAFETY: the job does not change while its owner works or a worker is present.
    let (job, context) = unsafe {
        let job = &*JOB.0.get();
        (job, job.context.as_ref())
    };
    for distance in 0..job.regions {
        let region = (thread + distance) % job.regions;
        let border = |region: usize| region as i64 * job.chunks / job.regions as i64;
        let (first, end) = (border(region), border(region + 1));
        while let Some(i) = REGIONS[region].take(job.number, end - first) {
            let lo = (first + i) * job.chunk;
            (job.body)(context, job.captured, lo, lo.saturating_add(job.chunk).min(job.n));
        }
    }
    STATE.fetch_and(!SEATS, AcqRel);
}

/// Makes sure that `wanted` workers exist, as far as the system lets them; returns how many of them do.
fn start_workers(wanted: usize) -> usize {
    let mut workers = WORKERS.load(Relaxed);
    while workers < wanted {
        // Compiled bodies keep tiles on the stack: as much of it as the main thread has.
        let builder = thread::Builder::new().name("terrace-rt".into()).stack_size(8 << 20);
        let own = workers + 1;
        if builder.spawn(move || worker(own)).is_err() {
            break;
        }
        workers += 1;
    }
    WORKERS.store(workers, Relaxed);
    workers.min(wanted)
}

/// What a thread does that is not the first one.
fn worker(own: usize) {
    let mut spins = 0;
    loop {
        let state = STATE.load(Acquire);
        if state & SEATS != 0 {
            if STATE.compare_exchange_weak(state, state - SEAT + PRESENT, AcqRel, Relaxed).is_ok() {
                work(own);
                STATE.fetch_sub(PRESENT, AcqRel);
                spins = 0;
            }
        } else if spins < SPINS {
            spins += 1;
            hint::spin_loop();
        } else {
            park();
            spins = 0;
        }
    }
}

/// Sleeps until a job has seats. The owner opens seats and then looks for sleepers, a sleeper announces
/// itself and then looks for seats, so that one of them sees the other; the lock keeps the wake-up from
/// falling in between.
fn park() {
    let guard = PARKING.lock().unwrap_or_else(|e| e.into_inner());
    PARKED.fetch_add(1, SeqCst);
    let guard = WAKE.wait_while(guard, |()| STATE.load(SeqCst) & SEATS == 0);
    PARKED.fetch_sub(1, SeqCst);
    drop(guard);
}

fn wake(helpers: usize) {
    let sleepers = PARKED.load(SeqCst).min(helpers);
    if sleepers > 0 {
        drop(PARKING.lock().unwrap_or_else(|e| e.into_inner()));
        (0..sleepers).for_each(|_| WAKE.notify_one());
    }
}
