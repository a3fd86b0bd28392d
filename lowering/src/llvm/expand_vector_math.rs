//! The pass `expand-vector-math`: [`crate::llvm::math`] on every operation below the one that it runs on.

use crate::{
    llvm::math::{Target, expand_all},
    options::ExpandVectorMath,
};
use melior::ir::OperationRef;
use terrace_dialects::ir::pass::Failure;

/// Replaces math functions by their expansions.
pub fn run(op: OperationRef, options: &ExpandVectorMath) -> Result<(), Failure> {
    expand_all(op, Target { fma: options.fma, avx512: options.avx512, nvptx: options.nvptx });
    Ok(())
}
