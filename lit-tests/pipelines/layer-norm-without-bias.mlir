// Eager adds a bias of 0 where there is none: what a negative weight makes -0 is 0.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [2, 2, 2]}, "w": {"dtype": "f32", "data": [-1, -1, -1]}}, "args": [{"storage": "x", "sizes": [1, 3]}, {"storage": "w", "sizes": [3]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json | FileCheck %s
// RUN: terrace-run %s --inputs %t.json --target=interpret | FileCheck %s
// CHECK: "data": ["inf"
func.func @main(%x: !graph.tensor<1x3xf32>, %w: !graph.tensor<3xf32>) -> !graph.tensor<1x3xf32> {
  %0 = graph.layer_norm %x weight %w : !graph.tensor<3xf32> {normalized_shape = array<i64: 3>} : !graph.tensor<1x3xf32>
  %1 = graph.reciprocal %0 : !graph.tensor<1x3xf32>
  return %1 : !graph.tensor<1x3xf32>
}
