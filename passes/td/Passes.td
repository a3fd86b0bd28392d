//===- Passes.td - passes within and between the dialects -------------------------------------------------------===//
//
// A pass `foo-bar` runs `crate::foo_bar::run(op, &options::FooBar)` of passes/src/foo_bar.rs. Each description says why
// the pass is there and shows IR before and after.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TERRACE_PASSES
#define TERRACE_PASSES

include "FakePasses.td"
include "FunctionalPasses.td"
include "GraphPasses.td"
include "KernelPasses.td"
include "LoopPasses.td"

#endif
