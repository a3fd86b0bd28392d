//! The passes from each level to the next, as lists.

use super::{
    Level, Machine, Target,
    pass::{Pass, Pipeline, nested, pass},
};

/// What the passes of a level depend on beside the target.
pub struct Choices {
    /// The seed of random decisions, or 0.
    pub stress: i64,
    /// Whether products are fused with each other.
    pub chains: bool,
    /// What keeps the machine busy.
    pub machine: Machine,
}

impl Default for Choices {
    fn default() -> Self {
        Choices { stress: 0, chains: true, machine: Machine::PROCESSOR }
    }
}

impl Choices {
    /// Whether a decision is another one than the usual: half of all seeds.
    fn is_odd(&self) -> bool {
        self.stress % 2 != 0
    }

    /// A pass that splits a reduction or a scan: short ones, too, where decisions are random.
    fn split(&self, name: &'static str) -> Pass {
        match self.is_odd() {
            true => pass(name).with("points", 8).with("least", 16),
            false => pass(name).with("points", self.machine.points).with("lanes", self.machine.lanes),
        }
    }
}

/// Upstream's canonicalization without the pattern that moves an `scf.if` behind the condition of a loop: of
/// 22.1 it forgets values that the branch yields and does not compute. Then one operation for equal ones.
pub fn canonicalize() -> Pipeline {
    let disabled = "\"(anonymous namespace)::WhileMoveIfDown\"";
    [pass("canonicalize").with("disable-patterns", disabled), pass("cse")].into()
}

/// The passes that make values of storages.
pub fn values() -> Pipeline {
    Pipeline::from(["graph-structure", "graph-specialize-aliases"])
        .then(nested("func.func", "graph-resolve-views"))
        .then("graph-functionalize")
}

/// Graph to functional.
pub fn functional() -> Pipeline {
    values().then(canonicalize()).then("functional-reinplace")
}

/// The passes of upstream that make linalg of tosa.
pub fn tosa() -> Pipeline {
    Pipeline::from([
        "tosa-optional-decompositions",
        "tosa-to-scf",
        "tosa-infer-shapes",
        "tosa-make-broadcastable",
        "tosa-to-linalg-named",
        "tosa-layerwise-constant-fold",
        "tosa-make-broadcastable",
        "tosa-to-linalg",
    ])
    .then(pass("tosa-to-arith").with("include-apply-rescale", true))
    .then("tosa-to-tensor")
}

/// The passes that take in what other dialects say: tosa by upstream's passes, arith and math on whole
/// tensors, affine, linalg.
fn inputs() -> Pipeline {
    Pipeline::from("verify-inputs")
        .then(nested("func.func", tosa().then("convert-elementwise-to-linalg")))
        .then(pass("convert-affine-to-loop").with("version-aliases", true))
        .then("convert-linalg-to-loop")
}

/// The same of what bufferization makes of tensors. What has no form as a loop operation becomes loops over
/// elements, one after the other.
fn inputs_on_memrefs() -> Pipeline {
    Pipeline::from("convert-linalg-to-loop").then(nested("func.func", "convert-linalg-to-loops"))
}

/// Functional, and what other dialects say, to loop operations on buffers.
///
/// Destinations first where a result goes, then, of what is left when producers are computed where they are
/// read, where one is read that nobody needs any more.
pub fn to_loop(choices: &Choices) -> Pipeline {
    let Choices { stress, chains, machine } = choices;
    inputs()
        .then(["functional-grow-concatenations", "functional-widen", "functional-decompose"])
        .then(nested("func.func", "convert-functional-to-loop"))
        .then("convert-graph-boundary-to-memref")
        .then(pass("inline").with("default-pipeline", ""))
        .then(["symbol-dce", "loop-split-domain", "reshape-destinations", "eliminate-empty-tensors"])
        .then("loop-fill-slices")
        .then(canonicalize())
        .then(["loop-inline-producers", "loop-narrow-tensors", "cse"])
        .then(choices.split("loop-split-reduction"))
        // A row is read twice, which pays where it would be one block of hundreds.
        .then_if(*stress != 0 || machine.points > 8, choices.split("loop-split-scan"))
        .then("loop-reuse-destinations")
        .then(
            pass("loop-fuse")
                .with("stress-seed", stress)
                .with("chains", chains)
                .with("points", machine.shared)
                .with("work", machine.work),
        )
        .then(["loop-elide-roundings", "protect-arguments", "carry-in-place", "separate-destinations"])
        .then(
            pass("one-shot-bufferize")
                .with("bufferize-function-boundaries", true)
                .with("function-boundary-type-conversion", "identity-layout-map"),
        )
        // A slice that is put back where it was taken from is no copy.
        .then("cse")
        .then(canonicalize())
        .then(inputs_on_memrefs())
        .then(["elide-copies", "convert-unsigned-buffers", "convert-bool-buffers", "convert-copy-to-loop"])
        .then(canonicalize())
        .then(["loop-fill-slices", "loop-collapse", "cse"])
}

/// Loop operations to kernels for a CPU, and their launches.
pub fn to_kernel(target: &Target, choices: &Choices) -> Pipeline {
    let stress = choices.stress;
    let [tile, rows, columns] = target.tiles();
    // A block that is transposed in registers has as many rows as a register has lanes.
    let cross = tile / 4;
    let random = ["loop-reorder", "loop-tile"].map(|name| pass(name).with("stress-seed", stress));
    let convert = pass("convert-loop-to-kernel").with("tile", tile).with("cross", cross);
    let convert = if choices.is_odd() { convert.with("stream", 256) } else { convert };
    Pipeline::default()
        .then_if(stress != 0, random)
        .then(convert.with("dot-m", rows).with("dot-n", columns).with("pairs", target.has_bf16()))
        .then(
            pass("kernel-schedule-templates")
                .with("dot-m", rows)
                .with("dot-n", columns)
                .with("pairs", target.has_bf16()),
        )
        .then(pass("kernel-expand-templates").with("tile", tile).with("cross", cross))
        .then_if(target.has_bf16(), "kernel-pair-products")
        .then(["place-deallocations", "kernel-hoist-launches"])
        .then(canonicalize())
        .then("kernel-collect-launches")
}

/// Kernels to the LLVM dialect for a CPU.
///
/// Math functions: polynomials, then the intrinsics that LLVM has, then what is left as loops and as libm's.
/// What can is nested in functions, which MLIR then takes by all threads.
pub fn to_llvm(target: &Target) -> Pipeline {
    let convert = pass("convert-kernel-to-x86").with("cpu", &target.cpu);
    let math = pass("expand-vector-math").with("fma", target.has_fma()).with("avx512", target.has_avx512());
    let loops = Pipeline::from("scf-forall-to-for").then(canonicalize()).then("loop-invariant-code-motion");
    let instructions = ["convert-arith-to-llvm", "convert-index-to-llvm", "convert-ub-to-llvm"];
    Pipeline::from(convert.with("check-accesses", target.check_accesses))
        .then("pack-allocations")
        .then(nested("func.func", loops))
        .then([math, pass("expand-half-conversions")])
        .then(nested("func.func", pass("arith-expand").with("include-bf16", true)))
        .then("convert-bf16-to-bits")
        .then(nested("func.func", ["convert-complex-to-llvm", "convert-math-to-llvm"]))
        .then(["convert-math-to-funcs", "convert-math-to-libm"])
        .then(nested("func.func", ["expand-strided-metadata", "lower-affine"]))
        .then(nested("func.func", ["convert-scf-to-cf", "convert-vector-to-llvm"]))
        .then(pass("finalize-memref-to-llvm").with("use-generic-functions", 1))
        .then(nested("func.func", instructions))
        .then(["convert-cf-to-llvm", "convert-func-to-llvm"])
        .then(nested("llvm.func", ["canonicalize", "cse"]))
        .then("reconcile-unrealized-casts")
        // Others may call the function itself.
        .then_if(target.call_context, "merge-interfaces")
        .then(pass("add-call-context").with("entries", target.call_context))
}

/// The pass that a named pipeline ends on: nothing of the levels above is left.
pub fn verified(level: Level) -> Pipeline {
    let verify = |above: &str| pass("verify-level").with("above", format!("\"{above}\""));
    match level {
        Level::Functional => Pipeline::default(),
        // A guard is the caller's matter down to machine code.
        Level::Loop => verify("graph functional tosa linalg").with("except", "graph.guard").into(),
        Level::Kernel => verify("graph functional tosa linalg loop").with("except", "graph.guard").into(),
        Level::Llvm => verify("graph functional tosa linalg loop kernel affine").into(),
    }
}
