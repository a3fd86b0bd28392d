//! The way down from graph to machine code: for each level a list of passes, which `terrace-opt` runs alone.
//!
//! One level to the next per list ([`levels`]); what a later pass needs is in the IR. `terrace-run --dump`
//! prints between levels; the named pipelines `terrace-x86`, `terrace-to-functional`, ... are these lists.

pub mod gpu;
mod levels;
mod named;
pub mod pass;

use levels::Choices;
use melior::{Context, ir::Module, pass::PassManager, utility::parse_pass_pipeline};
use pass::{Pipeline, nested};
use std::{
    fmt::{self, Display},
    time::{Duration, Instant},
};
use terrace_dialects::ir::{
    operations,
    pass::{Failed, run_passes},
};

pub use levels::{canonicalize, values};
pub use named::register_pipelines;

/// A level that a module is brought to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Cores in the functional dialect, boundaries in graph.
    Functional,
    /// Loop operations on buffers.
    Loop,
    /// Kernels and their launches.
    Kernel,
    /// The LLVM dialect.
    Llvm,
}

/// What code is generated for.
#[derive(Clone, Debug)]
pub struct Target {
    /// A CPU as `convert-kernel-to-x86` names it: `x86-64`, `x86-64-v3`, `x86-64-v4` or `x86-64-v4-bf16`.
    pub cpu: String,
    /// Whether functions take the context of the call (`add-call-context`), as the session calls them; else
    /// they have the types that MLIR gives them.
    pub call_context: bool,
    /// Whether each load and store is tested against its buffer (`check-accesses` of
    /// `convert-kernel-to-x86`).
    pub check_accesses: bool,
    /// Which of the [`OPTIMIZATIONS`] are left out.
    pub without: Vec<String>,
}

impl Target {
    /// Of a CPU: for calls of a session or for MLIR's own, with all that makes programs faster.
    pub fn new(cpu: &str, call_context: bool) -> Self {
        Target { cpu: cpu.into(), call_context, check_accesses: false, without: vec![] }
    }

    fn has_avx512(&self) -> bool {
        self.cpu == "x86-64-v4" || self.has_bf16()
    }

    fn has_bf16(&self) -> bool {
        self.cpu == "x86-64-v4-bf16"
    }

    fn has_fma(&self) -> bool {
        self.cpu == "x86-64-v3" || self.has_avx512()
    }

    /// Elements of a tile, four registers of f32; rows and columns of a register tile of a product.
    fn tiles(&self) -> [i64; 3] {
        if self.has_avx512() {
            [64, 14, 32]
        } else if self.has_fma() {
            [32, 6, 16]
        } else {
            [16, 4, 8]
        }
    }
}

/// Passes that make programs faster and that each of them is right without. Who looks for the reason of a
/// result or of a time leaves them out one by one (`terrace-run --without`, `./x bench --ablate`).
pub const OPTIMIZATIONS: [&str; 16] = [
    "functional-reinplace",
    "functional-grow-concatenations",
    "loop-split-domain",
    "loop-fill-slices",
    "reshape-destinations",
    "loop-inline-producers",
    "loop-narrow-tensors",
    "loop-split-reduction",
    "loop-reuse-destinations",
    "loop-fuse",
    "loop-elide-roundings",
    "elide-copies",
    "loop-collapse",
    "kernel-hoist-launches",
    "kernel-collect-launches",
    "pack-allocations",
];

/// What keeps a machine busy.
struct Machine {
    /// Points of a reduction that are enough, and of what runs together.
    points: i64,
    shared: i64,
    /// Elements that one point may work on where there are fewer.
    work: i64,
    /// Neighbours that are read together.
    lanes: i64,
}

impl Machine {
    const PROCESSOR: Self = Self { points: 8, shared: 8, work: 0, lanes: 64 };
    /// 132 multiprocessors, blocks of 256 threads of four elements. A launch takes as long as a block needs
    /// for 32,768 elements or more.
    const GPU: Self = Self { points: 128, shared: 132, work: 32_768, lanes: gpu::TILE };
}

impl Level {
    /// Every level, from the top.
    pub const ALL: [Level; 4] = [Level::Functional, Level::Loop, Level::Kernel, Level::Llvm];

    /// The passes from the level above.
    pub fn passes(self, target: &Target) -> Pipeline {
        self.by(target, &Choices::default())
    }

    /// The same with fusions, orders and tiles that are legal and random, from a seed that is not 0, and
    /// without an eighth of the [`OPTIMIZATIONS`]: the values must be the same.
    pub fn random_passes(self, target: &Target, seed: i64) -> Pipeline {
        let bits = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let left_out = |i: &usize| bits >> (3 * i) & 7 == 0;
        let without =
            (0..OPTIMIZATIONS.len()).filter(left_out).map(|i| OPTIMIZATIONS[i].to_owned()).collect();
        let target = Target { without, ..target.clone() };
        self.by(&target, &Choices { stress: seed, ..Choices::default() })
    }

    fn by(self, target: &Target, choices: &Choices) -> Pipeline {
        let passes = match self {
            Level::Functional => levels::functional(),
            Level::Loop => levels::to_loop(choices),
            Level::Kernel => levels::to_kernel(target, choices),
            Level::Llvm => levels::to_llvm(target),
        };
        passes.without(&target.without)
    }
}

/// Whether a module has operations of tosa, which the interpreter does not read.
pub fn has_tosa(module: &Module) -> bool {
    let is_tosa = |op| operations::name_of(op).starts_with("tosa.");
    !operations::collect(module.as_operation(), is_tosa).is_empty()
}

/// Makes linalg of tosa, by upstream's passes. `cse` removes its constants that nobody reads any longer.
///
/// # Errors
/// One of the passes refuses it.
pub fn lower_tosa<'c>(context: &'c Context, module: &mut Module<'c>) -> Result<(), Failed> {
    match has_tosa(module) {
        true => lower_by(context, module, nested("func.func", levels::tosa().then("cse"))).map(drop),
        false => Ok(()),
    }
}

impl Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Level::Functional => "functional",
            Level::Loop => "loop",
            Level::Kernel => "kernel",
            Level::Llvm => "llvm",
        })
    }
}

/// Registers the passes of the stages, ours and upstream's; once is enough.
pub fn register() {
    static UPSTREAM: std::sync::Once = std::sync::Once::new();
    UPSTREAM.call_once(melior::utility::register_all_passes);
    terrace_passes::register_passes();
    crate::register_passes();
}

/// Brings a module from the level above down to `level`; says how long it took.
///
/// # Errors
/// A pass refused, or there is a mistake of ours.
pub fn lower<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    target: &Target,
    level: Level,
) -> Result<Duration, Failed> {
    lower_by(context, module, level.passes(target))
}

/// Runs passes on a module, and says how long it took.
///
/// # Errors
/// A pass refused, or there is a mistake of ours.
pub fn lower_by<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    passes: impl Into<Pipeline>,
) -> Result<Duration, Failed> {
    let started = Instant::now();
    run(context, module, &passes.into())?;
    Ok(started.elapsed())
}

/// Runs passes on a module: a [`Pipeline`], or a text that is one.
///
/// # Errors
/// A pass refused, or there is a mistake of ours; what is wrong has been emitted as a diagnostic.
pub fn run<'c>(
    context: &'c Context,
    module: &mut Module<'c>,
    passes: &(impl Display + ?Sized),
) -> Result<(), Failed> {
    register();
    let manager = PassManager::new(context);
    let text = format!("builtin.module({passes})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &text)
        .unwrap_or_else(|e| panic!("the pipeline {passes} is malformed: {e}"));
    run_passes(manager, module)
}

/// The CPU that this machine's code is for, as passes name it.
pub fn host() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            return if is_x86_feature_detected!("avx512bf16") { "x86-64-v4-bf16" } else { "x86-64-v4" };
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return "x86-64-v3";
        }
    }
    "x86-64"
}
