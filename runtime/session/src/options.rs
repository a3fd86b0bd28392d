//! The options of a session: how it compiles, and whom it tells.

use melior::ir::Module;
use std::rc::Rc;
use terrace_lowering::pipeline::Level;
use terrace_native::{Code, Cpu, Device, GpuCode, OptLevel};

/// What happens to a call of a function that a pass refuses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fallback {
    /// The reference runs it, with one warning that says why.
    #[default]
    Reference,
    /// It is the call's error.
    Never,
}

/// Is shown a module at each level on its way down.
pub type Look<'o> = Box<dyn Fn(Level, &Module) + Send + Sync + 'o>;

/// Is shown the code for this processor.
pub type LookAtCode<'o> = Box<dyn Fn(&Code) + Send + Sync + 'o>;

/// Hears what the session decides about a call: a guard that refuses it, and what it compiles, and why.
pub type Explain<'o> = Box<dyn Fn(&str) + Send + Sync + 'o>;

/// Loads the code of kernels onto a device.
pub type Load<'o> = Box<dyn Fn(&GpuCode) -> Result<Rc<dyn Device>, String> + Send + Sync + 'o>;

/// Where kernels run.
pub struct Gpu<'o> {
    /// What they are compiled for, such as `sm_90`.
    pub architecture: String,
    /// What gets their code.
    pub load: Load<'o>,
}

/// Which sizes of arguments a variant leaves open. Open can be only those of row-major tensors that are alone
/// on their storages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenSizes {
    /// Those that differ from call to call: the first call's variant is for its sizes alone.
    #[default]
    Differing,
    /// From the first call those that the types of the program leave open: its user says which these are.
    /// Others as they differ.
    Declared,
    /// From the first call all but sizes of 0 and 1.
    All,
}

/// How a session compiles.
pub struct Options<'o> {
    /// What code is generated for; it runs here.
    pub cpu: Cpu,
    /// How much work LLVM puts into it.
    pub effort: OptLevel,
    /// What happens to a call of a function that a pass refuses.
    pub fallback: Fallback,
    /// How many variants each function of a program has at most: the one that was called longest ago is
    /// dropped then.
    pub variants: usize,
    /// How many bytes of code these have at most, but for the last one; what runs on a device is not counted.
    pub code_bytes: usize,
    /// Which sizes of arguments are left open.
    pub open_sizes: OpenSizes,
    /// The seed of fusions, orders and tiles that are legal and random; 0 for those of the cost model.
    pub stress: i64,
    /// Whether each load and store of machine code is tested against its buffer: what goes beyond is a bug,
    /// and does not happen. Code is slow then.
    pub check_accesses: bool,
    /// Which [optimizations](terrace_lowering::pipeline::OPTIMIZATIONS) are left out.
    pub without: Vec<String>,
    /// The threads that a call runs on, its own among them; 0 for the default: `TERRACE_THREADS`, else as
    /// many as there are processors.
    pub threads: usize,
    /// Where kernels run, if not on this processor.
    pub gpu: Option<Gpu<'o>>,
    /// Is shown each level on the way down.
    pub look: Option<Look<'o>>,
    /// Is shown the code in the end.
    pub look_at_code: Option<LookAtCode<'o>>,
    /// Hears why calls are compiled.
    pub explain: Option<Explain<'o>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            cpu: Cpu::host(),
            effort: OptLevel::Fast,
            fallback: Fallback::default(),
            variants: 64,
            code_bytes: 256 << 20,
            open_sizes: OpenSizes::default(),
            stress: 0,
            check_accesses: false,
            without: vec![],
            threads: 0,
            gpu: None,
            look: None,
            look_at_code: None,
            explain: None,
        }
    }
}
