//! The threads of one block as fibers, in the order that is asked for, each until it waits for others.
//!
//! The few intrinsics of a GPU are calls back in here, and each access to memory tells: before what is read,
//! after what is written.

use crate::{
    code::FUNCTIONS,
    memory::FRESH,
    shadow::{Moment, Race, Shadow},
    traffic::{Counter, Site},
};
use std::{cell::Cell, ffi::c_void, mem, ptr, slice};
use terrace_call::DeviceError;

/// Where they are, in this order.
pub(crate) fn addresses() -> [*const c_void; FUNCTIONS.len()] {
    [
        thread as *const c_void,
        block as *const c_void,
        barrier as *const c_void,
        shuffle as *const c_void,
        reads as *const c_void,
        written as *const c_void,
        spoil as *const c_void,
    ]
}

/// In which order the threads of a block get their turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first thread first.
    Forward,
    /// The last thread first.
    Backward,
}

const STACK: usize = 1 << 17;
const WARP: usize = 32;

/// What the threads of the block that runs have in common.
pub(crate) struct Block {
    number: i32,
    kernel: extern "C" fn(*const *const u64),
    arguments: *const *const u64,
    threads: Vec<Thread>,
    current: usize,
    scheduler: libc::ucontext_t,
    /// Arrivals at barriers, of all threads, and at exchanges, of each warp.
    met: usize,
    exchanges: Vec<usize>,
    /// Whether anything happened since the scheduler last looked.
    progress: bool,
    pub shadow: Shadow,
    pub counter: Option<Counter>,
    /// The first steps of the launch and of the block.
    launch: u32,
    pub step: u32,
    /// The first race: who, with whom, whether it writes, and where.
    race: Option<(usize, Race, bool, usize)>,
    /// The first access at an address that is not aligned as the instruction asks.
    misaligned: Option<String>,
}

struct Thread {
    context: libc::ucontext_t,
    stack: Vec<u8>,
    finished: bool,
    met: usize,
    exchanges: usize,
    /// What it gives in an exchange, and in the one before or after.
    slots: [u32; 2],
}

thread_local! {
    static RUNNING: Cell<*mut Block> = const { Cell::new(ptr::null_mut()) };
}

/// The block that runs. Fibers are not threads: only one of them is ever on.
fn running() -> *mut Block {
    RUNNING.get()
}

extern "C" fn thread() -> i32 {
    // SAFETY: fibers run inside of `Block::run` alone, whose block `running` is.
    unsafe { (*running()).current as i32 }
}

extern "C" fn block() -> i32 {
    // SAFETY: as in `thread`.
    unsafe { (*running()).number }
}

/// Lets the others run until something is so.
unsafe fn wait(block: *mut Block, until: impl Fn(&Block) -> bool) {
    // SAFETY: the block is the one that runs; the scheduler's context was left by `run`'s swapcontext. No
    // fiber keeps a reference into the block while another context is on.
    unsafe {
        (*block).progress = true;
        let own = (*block).current;
        while !until(&*block) {
            let (from, to) = (&raw mut (&mut (*block).threads)[own].context, &raw const (*block).scheduler);
            libc::swapcontext(from, to);
            (*block).current = own;
        }
    }
}

extern "C" fn barrier(_: i32) {
    // SAFETY: as in `thread`; the reference to the thread ends before `wait` lets others run.
    unsafe {
        let block = running();
        let thread = &mut (&mut (*block).threads)[(*block).current];
        thread.met += 1;
        (*block).met += 1;
        let all = thread.met * (*block).threads.len();
        wait(block, |block| block.met >= all);
    }
}

extern "C" fn shuffle(_: i32, value: i32, bit: i32, _: i32) -> i32 {
    // SAFETY: as in `barrier`.
    unsafe {
        let block = running();
        let (own, warp) = ((*block).current, (*block).current / WARP);
        let thread = &mut (&mut (*block).threads)[own];
        let slot = thread.exchanges % 2;
        thread.slots[slot] = value as u32;
        thread.exchanges += 1;
        (&mut (*block).exchanges)[warp] += 1;
        let all = thread.exchanges * WARP;
        wait(block, |block| block.exchanges[warp] >= all);
        (&(*block).threads)[own ^ bit as usize].slots[slot] as i32
    }
}

/// A thread is about to read so many bytes, if at all: by an instruction, at an address that is aligned, in
/// elements of so many bytes.
extern "C" fn reads(address: *const u8, size: usize, does: u64, number: u64, alignment: u64, element: u64) {
    // SAFETY: as in `thread`; no other fiber runs while the reference lives.
    unsafe {
        let block = &mut *running();
        let site = Site { number: number as u32, alignment, element, writes: false };
        if does != 0 && !block.takes(address, size, site) {
            let race = block.shadow.read(address as usize, size, block.now());
            block.note(race, false, address);
        }
    }
}

/// A thread has written so many bytes, if at all, as [`reads`].
extern "C" fn written(address: *const u8, size: usize, does: u64, number: u64, alignment: u64, element: u64) {
    // SAFETY: as in `reads`; the kernel has written these bytes, so they are there.
    unsafe {
        let block = &mut *running();
        let site = Site { number: number as u32, alignment, element, writes: true };
        if does != 0 && !block.takes(address, size, site) {
            let values = slice::from_raw_parts(address, size);
            let race = block.shadow.written(address as usize, values, block.now());
            block.note(race, true, address);
        }
    }
}

/// What a block finds in memory that its threads share is nobody's.
extern "C" fn spoil(address: *mut u8, size: usize) {
    // SAFETY: the kernel's shared memory has so many bytes; `launch` has set the block that it fills it for.
    unsafe {
        address.write_bytes(FRESH, size);
        let block = &mut *running();
        match &mut block.counter {
            Some(counter) => counter.shares(address as u64, size as u64),
            None => block.shadow.forget(address as usize, size),
        }
    }
}

extern "C" fn start() {
    // SAFETY: as in `wait`; kernel and arguments fit, as the caller of `launch` promises.
    unsafe { ((*running()).kernel)((*running()).arguments) };
    leave();
}

/// Ends the thread that runs.
fn leave() {
    // SAFETY: as in `wait`. A thread that has finished gets no further turn, so that swapcontext does not
    // return; frames of kernels own nothing.
    unsafe {
        let block = running();
        let own = (*block).current;
        let thread = &raw mut (&mut (*block).threads)[own];
        (*thread).finished = true;
        (*block).progress = true;
        libc::swapcontext(&raw mut (*thread).context, &raw const (*block).scheduler);
    }
}

impl Thread {
    fn new() -> Self {
        // SAFETY: getcontext fills it; all zeros is a valid structure of C.
        let context = unsafe { mem::zeroed() };
        Self { context, stack: vec![0; STACK], finished: false, met: 0, exchanges: 0, slots: [0; 2] }
    }
}

impl Block {
    /// Threads for the blocks of a launch of a kernel, which begins at a step.
    pub fn new(
        (kernel, arguments): (extern "C" fn(*const *const u64), *const *const u64),
        threads: usize,
        shadow: Shadow,
        counter: Option<Counter>,
        step: u32,
    ) -> Self {
        Self {
            number: 0,
            kernel,
            arguments,
            threads: (0..threads).map(|_| Thread::new()).collect(),
            current: 0,
            // SAFETY: all zeros is a valid structure of C; swapcontext fills it.
            scheduler: unsafe { mem::zeroed() },
            met: 0,
            exchanges: vec![],
            progress: false,
            shadow,
            counter,
            launch: step,
            step,
            race: None,
            misaligned: None,
        }
    }

    /// Becomes the next block, with memory of its own that a function fills.
    pub fn begin(&mut self, number: u64, fill: extern "C" fn()) {
        RUNNING.set(&raw mut *self);
        fill();
        self.number = number as i32;
        self.met = 0;
        self.exchanges = vec![0; self.threads.len().div_ceil(WARP)];
    }

    fn now(&self) -> Moment {
        let step = self.step + self.threads[self.current].met as u32;
        Moment { launch: self.launch, block: self.step, step, thread: self.current as u32 }
    }

    /// Whether the thread that runs has this on its stack, which is its own, whichever block it runs for.
    fn is_on_stack(&self, address: *const u8) -> bool {
        self.threads[self.current].stack.as_ptr_range().contains(&address)
    }

    /// Takes an access into account where that does not depend on others; whether it is counted, and not
    /// watched.
    fn takes(&mut self, address: *const u8, size: usize, site: Site) -> bool {
        if !(address as u64).is_multiple_of(site.alignment) && self.misaligned.is_none() {
            let (own, does) = (self.current, if site.writes { "writes" } else { "reads" });
            let why = format!(
                "thread {own} of block {} {does} {size} bytes at {address:?}, which {} does not divide",
                self.number, site.alignment
            );
            self.misaligned = Some(why);
        }
        let is_own = self.is_on_stack(address);
        let Some(counter) = &mut self.counter else { return false };
        if counter.is_enough() {
            leave();
        } else if !is_own {
            counter.access(self.current, address as u64, size as u64, site);
        }
        true
    }

    /// Keeps the first race in mind.
    fn note(&mut self, race: Option<Race>, writes: bool, address: *const u8) {
        if self.race.is_none()
            && let Some(with) = race.filter(|_| !self.is_on_stack(address))
        {
            self.race = Some((self.current, with, writes, address as usize));
        }
    }

    /// Runs all threads to their ends.
    ///
    /// # Errors
    /// They wait for each other, touch the same at a time, or access what is not aligned.
    pub fn run(&mut self, order: Order) -> Result<(), DeviceError> {
        for thread in &mut self.threads {
            *thread = Thread { stack: mem::take(&mut thread.stack), ..Thread::new() };
            // SAFETY: the stack is the thread's own, and lives as long as it runs.
            unsafe {
                libc::getcontext(&mut thread.context);
                thread.context.uc_stack.ss_sp = thread.stack.as_mut_ptr().cast();
                thread.context.uc_stack.ss_size = STACK;
                thread.context.uc_link = ptr::null_mut();
                libc::makecontext(&mut thread.context, start, 0);
            }
        }
        RUNNING.set(&raw mut *self);
        let count = self.threads.len();
        while self.threads.iter().any(|thread| !thread.finished) {
            self.progress = false;
            for turn in 0..count {
                let next = if order == Order::Forward { turn } else { count - 1 - turn };
                if !self.threads[next].finished {
                    self.current = next;
                    let to = &raw const self.threads[next].context;
                    // SAFETY: the context was made above or left by swapcontext.
                    unsafe { libc::swapcontext(&raw mut self.scheduler, to) };
                }
            }
            // Nobody comes back to a block that is cut.
            if self.counter.as_ref().is_some_and(Counter::is_enough) {
                return Ok(());
            }
            if !self.progress {
                let why = format!("threads of block {} wait for others that never come", self.number);
                return Err(DeviceError(why));
            }
        }
        self.step += self.threads.iter().map(|thread| thread.met as u32).max().unwrap_or(0) + 1;
        if let Some(why) = self.misaligned.take() {
            return Err(DeviceError(why));
        }
        let Some((thread, with, writes, address)) = self.race else { return Ok(()) };
        let (does, number) = (if writes { "writes" } else { "reads" }, self.number);
        Err(DeviceError(match with {
            Race::Thread(other) => {
                let other = other.map_or("other threads".into(), |other| format!("thread {other}"));
                format!(
                    "thread {thread} of block {number} {does} what {other} touches at the same time, at {address:#x}: a barrier is missing"
                )
            }
            Race::Block => format!("block {number} {does} what another block touches, at {address:#x}"),
        }))
    }
}
