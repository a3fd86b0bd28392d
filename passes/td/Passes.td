//===- Passes.td - passes within and between the dialects -------------------------------------------------------===//
//
// A pass `graph-foo` runs `run(op, &options::GraphFoo)` of passes/src/graph/foo.rs. Each description says why
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
