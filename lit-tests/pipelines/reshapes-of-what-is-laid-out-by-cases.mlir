// What eager lays out by comparing strides, seen in other sizes: each dimension is a part of one that was, or of size 1, so that strides
// need not be known.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "f32", "data": [1, -2, 3, 0, 5, 6, -7, 8, 2, 2, 0, 4, -1, 9, 3, 0, 4, 4, 4, 0, 1, 0, -3, 2]}, "i": {"dtype": "i64", "data": [1, 0, 1]}}, "args": [{"storage": "a", "sizes": [1, 4, 2], "strides": [2, 2, 1]}, {"storage": "a", "sizes": [3, 4], "strides": [1, 3]}, {"storage": "i", "sizes": [3]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: FileCheck %s < %t.compiled

// CHECK: "sizes": [4, 3]
// CHECK: "sizes": [2, 2, 1, 3, 1]
// CHECK: "sizes": [1, 3, 1, 2, 2]
func.func @main(%a: !graph.tensor<1x4x2xf32> {graph.layout = "any"}, %b: !graph.tensor<3x4xf32> {graph.layout = "any"}, %i: !graph.tensor<3xi64>)
    -> (!graph.tensor<4x3xf32>, !graph.tensor<2x2x1x3x1xf32>, !graph.tensor<1x3x1x2x2xf32>) {
  %0 = graph.index %a[%i] {present = array<i1: false, false, true>} : !graph.tensor<1x4x2xf32>[!graph.tensor<3xi64>]
  %1 = graph.view %0 size [4, 3] : !graph.tensor<1x4x3xf32>
  %2 = graph.view %0 size [2, 2, 1, 3, 1] : !graph.tensor<1x4x3xf32>
  %3 = graph.index %b[%i] {present = array<i1: true>} : !graph.tensor<3x4xf32>[!graph.tensor<3xi64>]
  %4 = graph.unflatten %3 sizes [2, -1] {dim = 1 : i64} : !graph.tensor<3x4xf32>
  %5 = graph.view %4 size [1, 3, 1, 2, 2] : !graph.tensor<3x2x2xf32>
  return %1, %2, %5 : !graph.tensor<4x3xf32>, !graph.tensor<2x2x1x3x1xf32>, !graph.tensor<1x3x1x2x2xf32>
}
