//! The way down as a list of stages, each a textual pipeline that `terrace-opt` runs alone.
//!
//! One level to the next per stage; what a later stage needs is in the IR. `terrace-run --dump` prints
//! between stages, the named pipelines `terrace-x86`, `terrace-to-functional`, ... are these texts.

use melior::{Context, ir::Module, pass::PassManager, utility::parse_pass_pipeline};
use std::{
    fmt,
    time::{Duration, Instant},
};
use terrace_dialects::ir::{
    operations,
    pass::{Failed, register_pipeline, run_passes},
};

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
    /// A CPU as `convert-kernel-to-x86` names it: `x86-64`, `x86-64-v3` or `x86-64-v4`.
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
}

/// Passes that make programs faster and that each of them is right without. Who looks for the reason of a
/// result or of a time leaves them out one by one (`terrace-run --without`, `./x bench --ablate`).
pub const OPTIMIZATIONS: [&str; 11] = [
    "functional-reinplace",
    "loop-split-domain",
    "reshape-destinations",
    "loop-inline-producers",
    "loop-split-reduction",
    "loop-reuse-destinations",
    "loop-fuse",
    "elide-copies",
    "loop-collapse",
    "kernel-hoist-launches",
    "kernel-collect-launches",
];

/// What the passes of a level depend on beside the target.
struct How {
    /// The seed of random decisions, or 0.
    stress: i64,
    /// Whether products are fused with each other.
    chains: bool,
    /// What keeps the machine busy.
    machine: Machine,
}

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
    const GPU: Self = Self { points: 128, shared: 132, work: 32_768, lanes: GPU_TILE };
}

impl Default for How {
    fn default() -> Self {
        How { stress: 0, chains: true, machine: Machine::PROCESSOR }
    }
}

/// Upstream's canonicalization without the pattern that moves an `scf.if` behind the condition of a loop: of
/// 22.1 it forgets values that the branch yields and does not compute. Then one operation for equal ones.
pub const CANONICALIZE: &str =
    "canonicalize{disable-patterns=\"(anonymous namespace)::WhileMoveIfDown\"},cse";

/// The passes that make values of storages.
pub const VALUES: &str =
    "graph-structure,graph-specialize-aliases,func.func(graph-resolve-views),graph-functionalize";

impl Level {
    /// Every level, from the top.
    pub const ALL: [Level; 4] = [Level::Functional, Level::Loop, Level::Kernel, Level::Llvm];

    /// The passes from the level above, in MLIR's notation.
    pub fn passes(self, target: &Target) -> String {
        self.text(target, How::default())
    }

    /// The same, down to loops, where kernels run on a GPU: products stay alone there, for blocks of threads
    /// share parts of their factors.
    pub fn gpu_passes(self) -> String {
        self.text(
            &Target::new("x86-64", true),
            How { chains: false, machine: Machine::GPU, ..How::default() },
        )
    }

    /// The same with fusions, orders and tiles that are legal and random, from a seed that is not 0, and
    /// without an eighth of the [`OPTIMIZATIONS`]: the values must be the same.
    pub fn random_passes(self, target: &Target, seed: i64) -> String {
        let bits = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let left_out = |i: &usize| bits >> (3 * i) & 7 == 0;
        let without =
            (0..OPTIMIZATIONS.len()).filter(left_out).map(|i| OPTIMIZATIONS[i].to_owned()).collect();
        self.text(&Target { without, ..target.clone() }, How { stress: seed, ..How::default() })
    }

    /// The pass that a named pipeline ends on: nothing of the levels above is left.
    fn verified(self) -> Option<String> {
        let above = match self {
            Level::Functional => return None,
            // A guard is the caller's matter down to machine code.
            Level::Loop => "above=\"graph functional tosa linalg\" except=graph.guard",
            Level::Kernel => "above=\"graph functional tosa linalg loop\" except=graph.guard",
            Level::Llvm => "above=\"graph functional tosa linalg loop kernel affine\"",
        };
        Some(format!("verify-level{{{above}}}"))
    }

    fn text(self, target: &Target, How { stress, chains, machine }: How) -> String {
        let Machine { points, shared, work, lanes } = machine;
        let Target { cpu, call_context, check_accesses, without } = target;
        let fused = cpu == "x86-64-v3" || cpu == "x86-64-v4";
        let avx512 = cpu == "x86-64-v4";
        // Elements of a tile, four registers of f32; rows and columns of a register tile of a product.
        let (tile, rows, columns) = if avx512 {
            (64, 14, 32)
        } else if fused {
            (32, 6, 16)
        } else {
            (16, 4, 8)
        };
        // A block that is transposed in registers has as many rows as a register has lanes.
        let cross = tile / 4;
        let random = match stress {
            0 => String::new(),
            _ => format!("loop-reorder{{stress-seed={stress}}},loop-tile{{stress-seed={stress}}},"),
        };
        // Short ones, too, where decisions are random.
        let split = match stress % 2 {
            0 => format!("points={points} lanes={lanes}"),
            _ => "points=8 least=16".to_owned(),
        };
        let stream = if stress % 2 == 0 { "" } else { "stream=256 " };
        // A row is read twice, which pays where it would be one block of hundreds.
        let scans =
            if stress != 0 || points > 8 { format!("loop-split-scan{{{split}}}") } else { String::new() };
        let passes: Vec<String> = match self {
            Level::Functional => vec![VALUES.into(), CANONICALIZE.into(), "functional-reinplace".into()],
            // Destinations first where a result goes, then, of what is left when producers are computed where
            // they are read, where one is read that nobody needs any more.
            Level::Loop => vec![
                inputs(),
                "functional-widen,functional-decompose,func.func(convert-functional-to-loop),convert-graph-boundary-to-memref,inline{default-pipeline=},symbol-dce".into(),
                "loop-split-domain".into(),
                "reshape-destinations".into(),
                format!("eliminate-empty-tensors,{CANONICALIZE}"),
                "loop-inline-producers".into(),
                "cse".into(),
                format!("loop-split-reduction{{{split}}}"),
                scans,
                "loop-reuse-destinations".into(),
                format!("loop-fuse{{stress-seed={stress} chains={chains} points={shared} work={work}}}"),
                format!(
                    "protect-arguments,carry-in-place,one-shot-bufferize{{bufferize-function-boundaries \
                     function-boundary-type-conversion=identity-layout-map}},{CANONICALIZE},{INPUTS_ON_MEMREFS}"
                ),
                "elide-copies".into(),
                format!("convert-unsigned-buffers,convert-bool-buffers,convert-copy-to-loop,{CANONICALIZE}"),
                "loop-collapse".into(),
                "cse".into(),
            ],
            Level::Kernel => vec![
                format!(
                    "{random}convert-loop-to-kernel{{tile={tile} cross={cross} {stream}dot-m={rows} dot-n={columns}}},\
                     kernel-schedule-templates{{dot-m={rows} dot-n={columns}}},\
                     kernel-expand-templates{{tile={tile} cross={cross}}},place-deallocations"
                ),
                "kernel-hoist-launches".into(),
                CANONICALIZE.into(),
                "kernel-collect-launches".into(),
            ],
            // Math functions: polynomials, then the intrinsics that LLVM has, then what is left as loops and
            // as libm's.
            Level::Llvm => vec![format!(
                "convert-kernel-to-x86{{cpu={cpu} check-accesses={check_accesses}}},func.func(scf-forall-to-for),{CANONICALIZE},loop-invariant-code-motion,\
                 expand-vector-math{{fma={fused} avx512={avx512}}},expand-half-conversions,arith-expand{{include-bf16=true}},\
                 convert-bf16-to-bits,convert-complex-to-llvm,convert-math-to-llvm,convert-math-to-funcs,convert-math-to-libm,\
                 expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-vector-to-llvm,\
                 finalize-memref-to-llvm{{use-generic-functions=1}},convert-arith-to-llvm,convert-index-to-llvm,\
                 convert-ub-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,canonicalize,cse,\
                 reconcile-unrealized-casts,add-call-context{{entries={call_context}}}"
            )],
        };
        let name = |passes: &str| passes.split('{').next().unwrap_or(passes).to_owned();
        let runs = |passes: &String| !passes.is_empty() && !without.contains(&name(passes));
        passes.into_iter().filter(runs).collect::<Vec<_>>().join(",")
    }
}

/// The passes of upstream that make linalg of tosa.
const TOSA: &str = "tosa-optional-decompositions,tosa-to-scf,tosa-infer-shapes,tosa-make-broadcastable,tosa-to-linalg-named,\
     tosa-layerwise-constant-fold,tosa-make-broadcastable,tosa-to-linalg,tosa-to-arith{include-apply-rescale=true},tosa-to-tensor";

/// The passes that take in what other dialects say: tosa by upstream's passes, arith and math on whole
/// tensors, affine, linalg.
fn inputs() -> String {
    format!(
        "verify-inputs,func.func({TOSA},convert-elementwise-to-linalg),convert-affine-to-loop{{version-aliases}},convert-linalg-to-loop"
    )
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
        true => lower_by(context, module, &format!("func.func({TOSA},cse)")).map(drop),
        false => Ok(()),
    }
}

/// The same of what bufferization makes of tensors. What has no form as a loop operation becomes loops over
/// elements, one after the other.
const INPUTS_ON_MEMREFS: &str = "convert-linalg-to-loop,func.func(convert-linalg-to-loops)";

/// Elements of a tile on a GPU: 256 threads hold 128 bits of f32 each.
const GPU_TILE: i64 = 1024;

/// Blocks that keep a GPU busy: four for each of 132 multiprocessors.
const GPU_BLOCKS: i64 = 528;

/// The passes from loop operations to kernels whose tiles suit the blocks of a GPU. A tile of a product is
/// what a block of 256 threads holds 16 sums each of; its factors come in steps of 16 through the memory that
/// the block shares.
pub fn gpu_tiles() -> String {
    format!(
        "convert-loop-to-kernel{{tile={GPU_TILE} blocks={GPU_BLOCKS} cross=0 scan=true unordered=integers}},kernel-schedule-templates{{dot-m=64 dot-n=64 packing=false}},\
         kernel-expand-templates{{tile={GPU_TILE} stage=16}},place-deallocations,kernel-hoist-launches,{CANONICALIZE}"
    )
}

/// The passes from kernels to one `gpu.module` for a chip such as `sm_90`. With `partial` kernels that have
/// no form on threads stay behind in the module, each with a warning; else they are refused.
pub fn gpu_kernels(chip: &str, partial: bool) -> String {
    format!(
        "kernel-assign-layouts,convert-kernel-to-nvptx{{chip={chip} partial={partial}}},{CANONICALIZE},loop-invariant-code-motion"
    )
}

/// The passes from graph to one `gpu.module`, as [`gpu_kernels`] has it.
pub fn gpu(chip: &str, partial: bool) -> String {
    let above = [Level::Functional, Level::Loop].map(Level::gpu_passes).join(",");
    format!("{above},{},{}", gpu_tiles(), gpu_kernels(chip, partial))
}

/// The passes from functions that launch kernels of a `gpu.module`, which goes, to the LLVM dialect for the
/// processor that runs them.
pub fn gpu_host(target: &Target) -> String {
    format!("convert-gpu-launch-to-runtime,{CANONICALIZE},{}", Level::Llvm.passes(target))
}

/// The passes from a `gpu.module` in upstream's dialects to the LLVM and NVVM dialects; with `bare` a buffer
/// is a pointer, else all parts of a descriptor.
pub fn gpu_to_nvvm(bare: bool) -> String {
    format!(
        "gpu.module(convert-nvgpu-to-nvvm,convert-vector-to-scf,expand-vector-math{{nvptx=true}},convert-scf-to-cf,\
         expand-strided-metadata,lower-affine,canonicalize,cse,expand-half-conversions,arith-expand,convert-math-to-llvm,convert-vector-to-llvm,\
         convert-gpu-to-nvvm{{use-bare-ptr-memref-call-conv={}}},canonicalize,cse,convert-nvvm-to-llvm,\
         reconcile-unrealized-casts)",
        i32::from(bare)
    )
}

impl fmt::Display for Level {
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
    lower_by(context, module, &level.passes(target))
}

/// Runs passes on a module, and says how long it took.
///
/// # Errors
/// A pass refused, or there is a mistake of ours.
pub fn lower_by<'c>(context: &'c Context, module: &mut Module<'c>, passes: &str) -> Result<Duration, Failed> {
    let started = Instant::now();
    run(context, module, passes)?;
    Ok(started.elapsed())
}

/// Runs passes of this file on a module.
///
/// # Errors
/// A pass refused, or there is a mistake of ours; what is wrong has been emitted as a diagnostic.
pub fn run<'c>(context: &'c Context, module: &mut Module<'c>, passes: &str) -> Result<(), Failed> {
    register();
    let manager = PassManager::new(context);
    let text = format!("builtin.module({passes})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &text)
        .unwrap_or_else(|e| panic!("the pipeline {passes} is malformed: {e}"));
    run_passes(&manager, module)
}

/// The CPU that this machine's code is for, as passes name it.
pub fn host() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            return "x86-64-v4";
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return "x86-64-v3";
        }
    }
    "x86-64"
}

/// Names the way down for `terrace-opt` and the plugin; once is enough.
///
/// `terrace-to-functional`, `terrace-to-loop` and `terrace-to-kernel` stop at a level; `terrace-x86` goes on
/// to the LLVM dialect for this machine, `terrace-x86-64`, `terrace-x86-64-v3` and `terrace-x86-64-v4` for a
/// named CPU; `terrace-nvptx` goes on to kernels for a GPU in the LLVM and NVVM dialects.
pub fn register_pipelines() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let text = |last: Level, cpu: &str| {
            let target = Target::new(cpu, false);
            let levels = Level::ALL.iter().take_while(|l| **l != last).chain([&last]);
            levels.map(|l| l.passes(&target)).chain(last.verified()).collect::<Vec<_>>().join(",")
        };
        for level in [Level::Functional, Level::Loop, Level::Kernel] {
            let description = format!("The way down from graph to {level}");
            register_pipeline(&format!("terrace-to-{level}"), &description, &text(level, host()));
        }
        let llvm = "The way down from graph to the LLVM dialect";
        register_pipeline("terrace-x86", &format!("{llvm}, for this machine"), &text(Level::Llvm, host()));
        let nvptx = format!("{},{}", gpu("sm_90", true), gpu_to_nvvm(true));
        register_pipeline("terrace-nvptx", "The way down from graph to NVVM, for sm_90", &nvptx);
        for cpu in ["x86-64", "x86-64-v3", "x86-64-v4"] {
            register_pipeline(
                &format!("terrace-{cpu}"),
                &format!("{llvm}, for {cpu}"),
                &text(Level::Llvm, cpu),
            );
        }
    });
}
