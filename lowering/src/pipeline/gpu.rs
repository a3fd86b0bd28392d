//! The passes from graph to kernels for a GPU and to the code that launches them.

use super::{
    Level, Machine, Target,
    levels::{self, Choices, canonicalize},
    pass::{Pipeline, nested, pass},
};

/// Elements of a tile on a GPU: 256 threads hold 128 bits of f32 each.
pub const TILE: i64 = 1024;

/// Blocks that keep a GPU busy: four for each of 132 multiprocessors.
const BLOCKS: i64 = 528;

/// The passes from graph to loop operations. Products stay alone, for blocks of threads share parts of their
/// factors.
pub fn to_loops() -> [(Level, Pipeline); 2] {
    let choices = Choices { chains: false, machine: Machine::GPU, ..Choices::default() };
    [(Level::Functional, levels::functional()), (Level::Loop, levels::to_loop(&choices))]
}

/// The passes from loop operations to kernels whose tiles suit the blocks of a GPU. A tile of a product is
/// what a block of 256 threads holds 16 sums each of; its factors come in steps of 16 through the memory that
/// the block shares.
pub fn tiles() -> Pipeline {
    let convert = pass("convert-loop-to-kernel").with("tile", TILE).with("blocks", BLOCKS).with("cross", 0);
    Pipeline::from(convert.with("scan", true).with("unordered", "integers"))
        .then(pass("kernel-schedule-templates").with("dot-m", 64).with("dot-n", 64).with("packing", false))
        .then(pass("kernel-expand-templates").with("tile", TILE).with("stage", 16))
        .then(["kernel-defer-assertions", "place-deallocations", "kernel-hoist-launches"])
        .then(canonicalize())
        .then("kernel-collect-launches")
}

/// The passes from kernels to one `gpu.module` for a chip such as `sm_90`. With `partial` kernels that have
/// no form on threads stay behind in the module, each with a warning; else they are refused.
pub fn kernels(chip: &str, partial: bool) -> Pipeline {
    Pipeline::from("kernel-assign-layouts")
        .then(pass("convert-kernel-to-nvptx").with("chip", chip).with("partial", partial))
        .then(canonicalize())
        .then("loop-invariant-code-motion")
}

/// The passes from graph to one `gpu.module`, as [`kernels`] has it.
pub fn from_graph(chip: &str, partial: bool) -> Pipeline {
    let above: Pipeline = to_loops().into_iter().map(|(_, passes)| passes).collect();
    above.then(tiles()).then(kernels(chip, partial))
}

/// The passes from functions that launch kernels of a `gpu.module`, which goes, to the LLVM dialect for the
/// processor that runs them.
pub fn host(target: &Target) -> Pipeline {
    Pipeline::from("convert-gpu-launch-to-runtime").then(canonicalize()).then(Level::Llvm.passes(target))
}

/// The passes from a `gpu.module` in upstream's dialects to the LLVM and NVVM dialects; with `bare` a buffer
/// is a pointer, else all parts of a descriptor.
pub fn to_nvvm(bare: bool) -> Pipeline {
    let passes = Pipeline::from(["convert-nvgpu-to-nvvm", "convert-vector-to-scf"])
        .then(pass("expand-vector-math").with("nvptx", true))
        .then(["convert-scf-to-cf", "expand-strided-metadata", "lower-affine", "canonicalize", "cse"])
        .then(["expand-half-conversions", "arith-expand", "convert-math-to-llvm", "convert-vector-to-llvm"])
        .then(pass("convert-gpu-to-nvvm").with("use-bare-ptr-memref-call-conv", i32::from(bare)))
        .then(["canonicalize", "cse", "convert-nvvm-to-llvm", "reconcile-unrealized-casts"]);
    nested("gpu.module", passes).into()
}
