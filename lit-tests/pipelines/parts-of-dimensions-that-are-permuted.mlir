// A dimension is seen as two in what lies by cases and is permuted: its stride counts, and not what strides would be in a row-major tensor,
// which was asked for in vain.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "f32", "data": [1, -2, 3, 0, 5, 6, -7, 8]}, "i": {"dtype": "i64", "data": [1, 0]}}, "args": [{"storage": "a", "sizes": [2, 4], "strides": [1, 2]}, {"storage": "i", "sizes": [2]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: FileCheck %s < %t.compiled

// CHECK: "sizes": [2, 2, 2]
func.func @main(%a: !graph.tensor<2x4xf32> {graph.layout = "any"}, %i: !graph.tensor<2xi64>) -> !graph.tensor<2x2x2xf32> {
  %0 = graph.index %a[%i] {present = array<i1: true>} : !graph.tensor<2x4xf32>[!graph.tensor<2xi64>]
  %1 = graph.swapaxes %0 {axis0 = 0 : i64, axis1 = 1 : i64} : !graph.tensor<2x4xf32>
  %2 = graph.unflatten %1 sizes [2, -1] {dim = 0 : i64} : !graph.tensor<4x2xf32>
  return %2 : !graph.tensor<2x2x2xf32>
}
