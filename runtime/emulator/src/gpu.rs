//! The LLVM IR of kernels, compiled for this machine, each thread of a block a fiber.
//!
//! Address spaces are stripped and the few intrinsics of a GPU become calls back in here. Blocks run one after the other;
//! the fibers of a block in the order that is asked for, each until it waits for others.

use crate::memory::Memory;
use inkwell::{
    OptimizationLevel, context::Context, execution_engine::ExecutionEngine, memory_buffer::MemoryBuffer,
};
use std::{
    cell::Cell,
    collections::BTreeSet,
    mem, ptr,
    time::{Duration, Instant},
};
use terrace_session::{Device, DeviceError};

/// The kernels of a GPU module, compiled for this machine.
pub struct Gpu {
    // Fields are dropped in order: the engine before its context, which nothing else borrows from.
    engine: ExecutionEngine<'static>,
    _context: Box<Context>,
    order: Order,
    memory: Memory,
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

/// The functions that stand for intrinsics: name, type, address.
const INTRINSICS: [(&str, &str, usize); 4] = [
    ("read.ptx.sreg.tid.x", "i32 ()", 0),
    ("read.ptx.sreg.ctaid.x", "i32 ()", 1),
    ("barrier.cta.sync.aligned.all", "void (i32)", 2),
    ("shfl.sync.bfly.i32", "i32 (i32, i32, i32, i32)", 3),
];

fn address(intrinsic: usize) -> usize {
    match intrinsic {
        0 => thread as *const () as usize,
        1 => block as *const () as usize,
        2 => barrier as *const () as usize,
        _ => shuffle as *const () as usize,
    }
}

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
    unsafe { (*running()).current as i32 }
}

extern "C" fn block() -> i32 {
    unsafe { (*running()).number }
}

/// Lets the others run until something is so.
unsafe fn wait(block: *mut Block, until: impl Fn(&Block) -> bool) {
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

extern "C" fn start() {
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
    fn run(&mut self, order: Order) -> Result<(), DeviceError> {
        RUNNING.set(self);
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
        Ok(())
    }
}

/// The types of the parameters of a function, from its line in LLVM IR.
fn parameters(line: &str) -> Vec<&str> {
    let Some((_, text)) = line.split_once('(') else { return vec![] };
    let (mut types, mut depth, mut from) = (vec![], 1, 0);
    for (i, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if (letter == ',' && depth == 1) || depth == 0 {
            types.extend(text[from..i].split_whitespace().next());
            from = i + 1;
        }
        if depth == 0 {
            break;
        }
    }
    types
}

/// What LLVM calls to round to bf16 where the machine has no instruction for it; not every libgcc has it. To nearest, ties to even.
const ROUNDING: &str = "
define bfloat @__truncsfbf2(float %x) {
  %bits = bitcast float %x to i32
  %shifted = lshr i32 %bits, 16
  %odd = and i32 %shifted, 1
  %half = add i32 %odd, 32767
  %sum = add i32 %bits, %half
  %upper = lshr i32 %sum, 16
  %rounded = trunc i32 %upper to i16
  %nan = fcmp uno float %x, %x
  %chosen = select i1 %nan, i16 32704, i16 %rounded
  %result = bitcast i16 %chosen to bfloat
  ret bfloat %result
}
define bfloat @__truncdfbf2(double %x) {
  %single = fptrunc double %x to float
  %result = call bfloat @__truncsfbf2(float %single)
  ret bfloat %result
}
";

/// The memory that the threads of a block share, by its line in LLVM IR: name and type. What a block finds there is nobody's.
fn shared(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(" = ").filter(|(name, _)| name.starts_with('@'))?;
    let (_, rest) = rest.split_once("addrspace(3) global ")?;
    let (ty, _) = rest.split_once(" undef").or_else(|| rest.split_once(" poison"))?;
    Some((name, ty))
}

/// The function that fills the memory that threads share, before a block runs.
const SPOIL: &str = "gpu.spoil";

/// LLVM IR for a GPU as such for this machine. Each kernel gets a second form, `call.NAME`, which takes a pointer to
/// pointers to the arguments.
fn translate(ir: &str) -> Result<String, DeviceError> {
    let (mut text, mut forms, mut used) = (String::new(), String::new(), BTreeSet::new());
    let mut spoil = String::new();
    for line in ir.lines() {
        if let Some((name, ty)) = shared(line) {
            let size = format!("ptrtoint (ptr getelementptr ({ty}, ptr null, i64 1) to i64)");
            spoil += &format!("  call void @llvm.memset.p0.i64(ptr {name}, i8 127, i64 {size}, i1 false)\n");
        }
        if line.starts_with("target ") || (line.starts_with("declare") && line.contains("@llvm.nvvm.")) {
            continue;
        }
        let mut line = line.replace("addrspacecast", "bitcast");
        while let Some(start) = line.find(" addrspace(") {
            let end = line[start..].find(')').map_or(line.len() - 1, |end| start + end);
            line.replace_range(start..=end, "");
        }
        for rest in line.split("@llvm.nvvm.").skip(1) {
            used.insert(rest.split('(').next().unwrap_or_default().to_owned());
        }
        line = line.replace("@llvm.nvvm.", "@gpu.");
        if line.contains("define ptx_kernel ") {
            line = line.replace("ptx_kernel ", "");
            let name = line.split(['@', '(']).nth(1).unwrap_or_default();
            let types = parameters(&line);
            forms += &format!("define void @call.{name}(ptr %all) {{\n");
            for (i, ty) in types.iter().enumerate() {
                forms += &format!(
                    "  %at{i} = getelementptr ptr, ptr %all, i64 {i}\n  %p{i} = load ptr, ptr %at{i}\n  \
                     %v{i} = load {ty}, ptr %p{i}\n"
                );
            }
            let values: Vec<_> = types.iter().enumerate().map(|(i, ty)| format!("{ty} %v{i}")).collect();
            forms += &format!("  call void @{name}({})\n  ret void\n}}\n", values.join(", "));
        }
        text += &line;
        text += "\n";
    }
    for name in used {
        let known = INTRINSICS.iter().find(|(known, ..)| *known == name);
        let (_, ty, _) = known.ok_or_else(|| DeviceError(format!("llvm.nvvm.{name} is not emulated")))?;
        let (result, arguments) = ty.split_once(' ').unwrap_or_default();
        forms += &format!("declare {result} @gpu.{name}{arguments}\n");
    }
    forms += &format!(
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\ndefine void @{SPOIL}() {{\n{spoil}  ret void\n}}\n"
    );
    if text.contains("bfloat") {
        forms += ROUNDING;
    }
    Ok(text + &forms)
}

impl Gpu {
    /// Compiles the LLVM IR of kernels, whose threads get their turns in an order.
    ///
    /// # Errors
    /// It calls an intrinsic that is not known here, or is no LLVM IR.
    pub fn new(ir: &str, order: Order) -> Result<Self, DeviceError> {
        let text = translate(ir)?;
        let wrong = |e: &dyn ToString| DeviceError(e.to_string());
        let context = Box::new(Context::create());
        // SAFETY: the engine, which refers to it, is dropped before it.
        let within: &'static Context = unsafe { &*ptr::from_ref(&*context) };
        let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "kernels");
        let module = within.create_module_from_ir(buffer).map_err(|e| wrong(&e))?;
        let engine = module.create_jit_execution_engine(OptimizationLevel::Default).map_err(|e| wrong(&e))?;
        for (name, _, intrinsic) in INTRINSICS {
            if let Some(function) = module.get_function(&format!("gpu.{name}")) {
                engine.add_global_mapping(&function, address(intrinsic));
            }
        }
        Ok(Self { engine, _context: context, order, memory: Memory::default() })
    }
}

impl Device for Gpu {
    fn allocate(&self, bytes: usize) -> Result<u64, DeviceError> {
        Ok(self.memory.allocate(bytes))
    }

    fn free(&self, address: u64) -> Result<(), DeviceError> {
        self.memory.free(address)
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.memory.with(address, bytes.len(), |there| there.copy_from_slice(bytes))
    }

    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        self.memory.with(address, bytes.len(), |there| bytes.copy_from_slice(there))
    }

    unsafe fn launch(
        &self,
        kernel: &str,
        blocks: u64,
        threads: u64,
        arguments: &[u64],
    ) -> Result<(), DeviceError> {
        let address = self.engine.get_function_address(&format!("call.{kernel}"));
        let address = address.map_err(|_| DeviceError(format!("there is no kernel {kernel}")))?;
        let spoil = self.engine.get_function_address(SPOIL).map_err(|e| DeviceError(e.to_string()))?;
        // SAFETY: `translate` gives the function this type.
        let spoil = unsafe { mem::transmute::<usize, extern "C" fn()>(spoil) };
        let pointers: Vec<*const u64> = arguments.iter().map(ptr::from_ref).collect();
        let threads = threads as usize;
        let mut block = Block {
            number: 0,
            // SAFETY: `translate` gives the function this type.
            kernel: unsafe { mem::transmute::<usize, extern "C" fn(*const *const u64)>(address) },
            arguments: pointers.as_ptr(),
            threads: (0..threads).map(|_| Thread::new()).collect(),
            current: 0,
            // SAFETY: all zeros is a valid structure of C; swapcontext fills it.
            scheduler: unsafe { mem::zeroed() },
            met: 0,
            exchanges: vec![],
            progress: false,
        };
        for number in 0..blocks {
            spoil();
            block.number = number as i32;
            block.met = 0;
            block.exchanges = vec![0; threads / WARP];
            let ran = block.run(self.order);
            ran.map_err(|DeviceError(why)| DeviceError(format!("kernel {kernel}: {why}")))?;
        }
        self.memory.check(kernel)
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
