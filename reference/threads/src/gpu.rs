//! The blocks of a launch one after the other; of a block the fibers in the order that is asked for, each
//! until it waits for others.
//!
//! The few intrinsics of a GPU are calls back in here, and each access to memory tells: before what is read,
//! after what is written.

use crate::{
    memory::{FRESH, Memory},
    shadow::{Moment, Race, Shadow},
};
use std::{
    cell::{Cell, RefCell},
    ffi::c_void,
    mem, ptr, slice,
    time::{Duration, Instant},
};
use terrace_call::{Device, DeviceError};

/// Machine code of kernels, as the crate `terrace-emulator` writes it.
///
/// # Safety
/// Addresses are those of functions that stay as long as this does: [`LINK`] takes a table of addresses, one
/// for each of [`FUNCTIONS`], and is called once, before any other; [`SPOIL`] takes nothing, and [`CALL`]
/// with the name of a kernel behind it an array of pointers to its arguments.
pub unsafe trait Code {
    /// Where a function is; None: there is none of this name.
    fn address(&self, function: &str) -> Option<usize>;
}

/// The function that is told where [`FUNCTIONS`] are.
pub const LINK: &str = "link";
/// The function that fills the memory that the threads of a block share, before a block runs.
pub const SPOIL: &str = "spoil";
/// What stands in front of the name of a kernel.
pub const CALL: &str = "call.";

/// What machine code of kernels calls: name, result and parameters in LLVM IR. Those with a dot are
/// intrinsics of a GPU.
pub const FUNCTIONS: [(&str, &str, &[&str]); 7] = [
    ("read.ptx.sreg.tid.x", "i32", &[]),
    ("read.ptx.sreg.ctaid.x", "i32", &[]),
    ("barrier.cta.sync.aligned.all", "void", &["i32"]),
    ("shfl.sync.bfly.i32", "i32", &["i32", "i32", "i32", "i32"]),
    ("reads", "void", &["ptr", "i64", "i64"]),
    ("written", "void", &["ptr", "i64", "i64"]),
    ("spoil", "void", &["ptr", "i64"]),
];

/// Where they are, in this order.
fn addresses() -> [*const c_void; FUNCTIONS.len()] {
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

/// Memory, and what runs kernels on it.
pub struct Machine {
    order: Order,
    memory: Memory,
    shadow: RefCell<Shadow>,
    /// The first step of the next launch.
    step: Cell<u32>,
}

/// A machine with the kernels of a program.
pub struct Gpu {
    code: Box<dyn Code>,
    machine: Machine,
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
struct Block {
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
    shadow: Shadow,
    /// The first steps of the launch and of the block.
    launch: u32,
    step: u32,
    /// The first race: who, with whom, whether it writes, and where.
    race: Option<(usize, Race, bool, usize)>,
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

/// A thread is about to read so many bytes, if at all.
extern "C" fn reads(address: *const u8, size: usize, does: u64) {
    // SAFETY: as in `thread`; no other fiber runs while the reference lives.
    unsafe {
        let block = &mut *running();
        if does != 0 {
            let race = block.shadow.read(address as usize, size, block.now());
            block.note(race, false, address);
        }
    }
}

/// A thread has written so many bytes, if at all.
extern "C" fn written(address: *const u8, size: usize, does: u64) {
    // SAFETY: as in `reads`; the kernel has written these bytes, so they are there.
    unsafe {
        let block = &mut *running();
        if does != 0 {
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
        (*running()).shadow.forget(address as usize, size);
    }
}

extern "C" fn start() {
    // SAFETY: as in `wait`; kernel and arguments fit, as the caller of `launch` promises. A thread that has
    // finished gets no further turn, so that swapcontext does not return.
    unsafe {
        let block = running();
        let own = (*block).current;
        ((*block).kernel)((*block).arguments);
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
    fn now(&self) -> Moment {
        let step = self.step + self.threads[self.current].met as u32;
        Moment { launch: self.launch, block: self.step, step, thread: self.current as u32 }
    }

    /// Keeps the first race in mind. A stack is its thread's own, whichever block it runs for.
    fn note(&mut self, race: Option<Race>, writes: bool, address: *const u8) {
        let own = || self.threads[self.current].stack.as_ptr_range().contains(&address);
        if self.race.is_none()
            && let Some(with) = race.filter(|_| !own())
        {
            self.race = Some((self.current, with, writes, address as usize));
        }
    }

    fn run(&mut self, order: Order) -> Result<(), DeviceError> {
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
            if !self.progress {
                let why = format!("threads of block {} wait for others that never come", self.number);
                return Err(DeviceError(why));
            }
        }
        self.step += self.threads.iter().map(|thread| thread.met as u32).max().unwrap_or(0) + 1;
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

/// Tells code where [`FUNCTIONS`] are.
///
/// # Errors
/// It is not what [`Code`] says.
pub fn link(code: &dyn Code) -> Result<(), DeviceError> {
    let link =
        code.address(LINK).ok_or_else(|| DeviceError("is no code of kernels for this machine".into()))?;
    let table = addresses();
    // SAFETY: as `Code` says.
    unsafe { mem::transmute::<usize, extern "C" fn(*const *const c_void)>(link)(table.as_ptr()) };
    Ok(())
}

impl Gpu {
    /// Has the threads of kernels get their turns in an order.
    ///
    /// # Errors
    /// The code is not what [`Code`] says.
    pub fn new(code: Box<dyn Code>, order: Order) -> Result<Self, DeviceError> {
        link(&*code)?;
        Ok(Self { code, machine: Machine::new(order) })
    }
}

impl Machine {
    /// Memory with nothing in it; the threads of a block get their turns in an order.
    pub fn new(order: Order) -> Self {
        Self { order, memory: Memory::default(), shadow: RefCell::default(), step: Cell::new(1) }
    }

    /// What is allocated.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Runs a kernel of code that is linked; `arguments` is an array of pointers to what it takes.
    ///
    /// # Safety
    /// They are those that it takes.
    ///
    /// # Errors
    /// As [`Device::launch`].
    pub unsafe fn launch(
        &self,
        code: &dyn Code,
        kernel: &str,
        blocks: u64,
        threads: usize,
        arguments: *const *const u64,
    ) -> Result<(), DeviceError> {
        let find = |name: &str| {
            code.address(name).ok_or_else(|| DeviceError(format!("there is no kernel {kernel}")))
        };
        let (call, fill) = (find(&format!("{CALL}{kernel}"))?, find(SPOIL)?);
        // SAFETY: as `Code` says.
        let (call, fill) = unsafe {
            (
                mem::transmute::<usize, extern "C" fn(*const *const u64)>(call),
                mem::transmute::<usize, extern "C" fn()>(fill),
            )
        };
        let mut block = Block {
            number: 0,
            kernel: call,
            arguments,
            threads: (0..threads).map(|_| Thread::new()).collect(),
            current: 0,
            // SAFETY: all zeros is a valid structure of C; swapcontext fills it.
            scheduler: unsafe { mem::zeroed() },
            met: 0,
            exchanges: vec![],
            progress: false,
            shadow: self.shadow.take(),
            launch: self.step.get(),
            step: self.step.get(),
            race: None,
        };
        let mut ran = Ok(());
        for number in 0..blocks {
            RUNNING.set(&raw mut block);
            fill();
            block.number = number as i32;
            block.met = 0;
            block.exchanges = vec![0; threads.div_ceil(WARP)];
            ran = block.run(self.order);
            if ran.is_err() {
                break;
            }
        }
        self.step.set(block.step);
        self.shadow.replace(block.shadow);
        ran.map_err(|DeviceError(why)| DeviceError(format!("kernel {kernel}: {why}")))?;
        self.memory.check(kernel)
    }
}

impl Device for Gpu {
    fn allocate(&self, bytes: usize) -> Result<u64, DeviceError> {
        Ok(self.machine.memory.allocate(bytes))
    }

    fn free(&self, address: u64) -> Result<(), DeviceError> {
        self.machine.memory.free(address)
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.machine.memory.with(address, bytes.len(), |there| there.copy_from_slice(bytes))
    }

    fn fill(&self, address: u64, value: u8, bytes: usize) -> Result<(), DeviceError> {
        self.machine.memory.with(address, bytes, |there| there.fill(value))
    }

    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        self.machine.memory.with(address, bytes.len(), |there| bytes.copy_from_slice(there))
    }

    unsafe fn launch(
        &self,
        kernel: &str,
        blocks: u64,
        threads: u64,
        arguments: &[u64],
    ) -> Result<(), DeviceError> {
        let pointers: Vec<*const u64> = arguments.iter().map(ptr::from_ref).collect();
        // SAFETY: the caller's.
        unsafe { self.machine.launch(&*self.code, kernel, blocks, threads as usize, pointers.as_ptr()) }
    }

    fn synchronize(&self) -> Result<(), DeviceError> {
        Ok(())
    }

    fn time(&self, work: &mut dyn FnMut() -> Result<(), DeviceError>) -> Result<Duration, DeviceError> {
        let started = Instant::now();
        work()?;
        Ok(started.elapsed())
    }
}
