//! What a program costs on a GPU, as far as that is known without one.
//!
//! It is compiled for sm_90, assembled and disassembled; and its kernels run on the emulator, at most
//! [`BLOCKS`] blocks of each, which counts what they ask of memory. The kernel that most instructions are
//! spent in speaks for the program.

use super::{
    cases::Case,
    sass::{self, Kernel, Part},
};
use std::{
    path::Path,
    rc::Rc,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use terrace_bundle::generate;
use terrace_emulator::Launch;
use terrace_goldens::models::Model;
use terrace_native::{Device, GpuCode, KernelReport, Nvdisasm, Ptxas};
use terrace_session::{Fallback, Gpu, OpenSizes, Options, Session, entry::Entry};
use terrace_tensor::Value;
use terrace_tools::{bundle, module, run};

/// The architecture that kernels are compiled for.
const ARCHITECTURE: &str = "sm_90";
/// Blocks of a launch that the emulator runs.
const BLOCKS: u64 = 32;

/// What is known of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    pub case: String,
    pub launches: u64,
    /// Of the kernel that speaks for the program.
    pub blocks: u64,
    pub threads: u64,
    /// The most of all kernels: registers and bytes of spills a thread, bytes of shared memory a block.
    pub registers: u64,
    pub spills: u64,
    pub shared: u64,
    /// Bytes that a thread moves by an access of global memory.
    pub width: f64,
    /// Instructions an element, or a multiply-add where that is what the program does.
    pub instructions: f64,
    /// Whether these are those of a loop, without what stands around it.
    pub is_loop: bool,
    /// Bytes that all launches move, over the least; 0 where a block is too long to be run.
    pub moved: f64,
    /// Sectors that requests touch, over the least; turns of banks of shared memory likewise.
    pub sectors: f64,
    pub turns: f64,
}

/// What was compiled.
#[derive(Default)]
struct Code {
    reports: Vec<KernelReport>,
    kernels: Vec<Kernel>,
}

impl Code {
    fn of(code: &GpuCode) -> Result<Self, String> {
        let ptx = code.ptx().map_err(|e| e.to_string())?;
        let ptxas = Ptxas::find().map_err(|e| e.to_string())?;
        let (reports, cubin) = ptxas.assemble(&ptx, ARCHITECTURE).map_err(|e| e.to_string())?;
        let text = Nvdisasm::find().and_then(|own| own.disassemble(&cubin)).map_err(|e| e.to_string())?;
        Ok(Self { reports, kernels: sass::kernels(&text) })
    }

    fn kernel(&self, launch: &Launch) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == launch.kernel)
    }

    /// Instructions for each element of a launch, of a product for each multiply-add, in the longest
    /// innermost loop where there is one; and about how many all threads run.
    fn spent(&self, launch: &Launch, is_product: bool) -> (f64, f64) {
        let Some(kernel) = self.kernel(launch) else { return (0.0, 0.0) };
        let traffic = &launch.traffic;
        let ran = (traffic.blocks * launch.threads).max(1) as f64;
        let of_thread = (traffic.elements as f64 / ran).max(1e-9);
        // What of each access an element takes.
        let (all, stored) = (traffic.global.bytes as f64, traffic.stored as f64);
        let share = |bytes: f64| bytes / (traffic.elements as f64).max(1.0);
        let elements = |part: &Part| {
            let of = |bytes: u64, each: f64| if each > 0.0 { bytes as f64 / each } else { 0.0 };
            let global = of(part.loaded, share(all - stored)).max(of(part.stored, share(stored)));
            if global > 0.0 { global } else { (part.shared as f64 / 4.0).max(1.0) }
        };
        let longest = kernel.innermost.iter().max_by_key(|part| part.instructions);
        let product = |part: &&Part| is_product && part.multiply_adds > 0;
        let each = match longest {
            Some(part) if product(&part) => part.instructions as f64 / part.multiply_adds as f64,
            Some(part) => part.instructions as f64 / elements(part),
            None => kernel.outside.instructions as f64 / of_thread,
        };
        let loops =
            kernel.innermost.iter().map(|part| part.instructions as f64 / elements(part)).sum::<f64>();
        let of_element = kernel.outside.instructions as f64 / of_thread + loops;
        (each, of_element * of_thread * (launch.blocks * launch.threads) as f64)
    }
}

fn open<T>(own: &Mutex<T>) -> MutexGuard<'_, T> {
    own.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ratio(parts: u64, least: u64) -> f64 {
    if least == 0 { 1.0 } else { parts as f64 / least as f64 }
}

/// Compiles a case, and runs it as far as it counts.
///
/// # Errors
/// It is refused; ptxas or nvdisasm are nowhere.
pub fn of(case: &Case, folder: &Path) -> Result<Cost, String> {
    let context = module::context();
    let source = match case.model() {
        Some(name) => Model::read(name)?.module(&context)?,
        None => module::read(&context, &folder.join(format!("{}.mlir", case.name)))?,
    };
    let (entry, arguments) = {
        let entry = Entry::find(&source, None).map_err(|e| e.to_string())?;
        let list = if case.arguments.is_empty() { bundle::declared(entry)? } else { case.arguments.clone() };
        (entry.name(), generate(&list).map_err(|e| e.to_string())?)
    };
    let (compiled, launches) = (Arc::new(Mutex::new(Code::default())), Arc::new(Mutex::new(vec![])));
    let (to, list) = (compiled.clone(), launches.clone());
    let load = move |code: &GpuCode| {
        *open(&to) = Code::of(code)?;
        open(&list).clear();
        let gpu =
            terrace_emulator::counting(&code.llvm_ir(), BLOCKS, list.clone()).map_err(|e| e.to_string())?;
        Ok(Rc::new(gpu) as Rc<dyn Device>)
    };
    let gpu = Some(Gpu { architecture: ARCHITECTURE.into(), load: Box::new(load) });
    let open_sizes = if case.name.ends_with("_any") { OpenSizes::Declared } else { OpenSizes::Differing };
    let options = Options { gpu, open_sizes, fallback: Fallback::Never, ..Options::default() };
    let called = Session::new(&context, options).program(source).call(&entry, &arguments);
    let launches = std::mem::take(&mut *open(&launches));
    let results = called.map_err(run::message)?;
    let bytes = |value: &Value| value.as_tensor().map_or(0, |tensor| tensor.len() * tensor.dtype().bytes());
    let least = if case.model().is_some() {
        arguments.iter().chain(&results).map(bytes).sum::<usize>() as f64
    } else {
        case.bytes
    };
    Ok(cost(&Case { bytes: least, ..case.clone() }, &open(&compiled), &launches))
}

fn cost(case: &Case, code: &Code, launches: &[Launch]) -> Cost {
    let spent = |launch: &Launch| code.spent(launch, case.flops > 0.0);
    // A block that is too long to be run is what a program waits for.
    let weight = |launch: &Launch| if launch.traffic.is_cut { f64::INFINITY } else { spent(launch).1 };
    let most = launches.iter().max_by(|a, b| weight(a).total_cmp(&weight(b)));
    let report = |of: fn(&KernelReport) -> u32| code.reports.iter().map(of).max().map_or(0, u64::from);
    let moved = |launch: &Launch| {
        let traffic = &launch.traffic;
        (traffic.read + traffic.written) as f64 * launch.blocks as f64 / traffic.blocks.max(1) as f64
    };
    let mut cost = Cost {
        case: case.name.clone(),
        launches: launches.len() as u64,
        registers: report(|own| own.registers),
        spills: report(|own| own.spill_stores + own.spill_loads),
        shared: report(|own| own.shared),
        moved: if launches.iter().any(|own| own.traffic.is_cut) {
            0.0
        } else {
            launches.iter().map(moved).sum::<f64>() / case.bytes
        },
        ..Cost::default()
    };
    if let Some(most) = most {
        let (global, shared) = (most.traffic.global, most.traffic.shared);
        (cost.blocks, cost.threads) = (most.blocks, most.threads);
        cost.width = ratio(global.bytes, global.count * 32);
        cost.instructions = spent(most).0;
        cost.is_loop = code.kernel(most).is_some_and(|kernel| !kernel.innermost.is_empty());
        cost.sectors = ratio(global.parts, global.least);
        cost.turns = ratio(shared.parts, shared.least);
    }
    cost
}
