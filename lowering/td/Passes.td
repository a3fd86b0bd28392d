//===- Passes.td - kernel to upstream dialects to LLVM -----------------------------------------------------------===//
//
// A pass `foo-bar` runs `crate::foo_bar::run(op, &options::FooBar)` of lowering/src/foo_bar.rs. Each description says why
// the pass is there and shows IR before and after.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_LOWERING_PASSES
#define TERRACE_LOWERING_PASSES

include "mlir/Pass/PassBase.td"

#endif
