// What is compiled, and why.
// RUN: terrace-run %s --explain --arg '[[1, 2], [3, 4]]' 2>&1 | FileCheck %s
// CHECK: @main: compiled for f32[2x2]: it is the first call
func.func @main(%x: !graph.tensor<?x2xf32>) -> !graph.tensor<?x2xf32> {
  %0 = graph.neg %x : !graph.tensor<?x2xf32>
  return %0 : !graph.tensor<?x2xf32>
}
