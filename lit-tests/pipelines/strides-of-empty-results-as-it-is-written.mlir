// In a function that runs as it is written, too, an empty dimension of a result counts as one index.
// REQUIRES: x86
// RUN: echo '{"storages": {"s": {"dtype": "f64", "data": [1, -4, 2, 3, 5, 6]}, "w": {"dtype": "f64", "data": [2, 3, 4]}}, "args": [{"storage": "s", "sizes": [2, 1, 3], "strides": [3, 3, 1]}, {"storage": "w", "sizes": [3]}]}' > %t.json
// RUN: terrace-run %s --entry main --inputs %t.json | FileCheck %s
// RUN: terrace-run %s --inputs %t.json --target=interpret | FileCheck %s

// CHECK: "sizes": [2, 0, 1], "strides": [1, 1, 1]
func.func @main(%a: !graph.tensor<?x?x?xf64>, %w: !graph.tensor<?xf64>) -> !graph.tensor<?x0x1xf64> {
  %0 = graph.cos_ %a : !graph.tensor<?x?x?xf64>
  %1 = graph.narrow %0 start [0] length [0] {dim = 1 : i64} : !graph.tensor<?x?x?xf64>
  %2:3 = graph.native_layer_norm %1 weight %w : !graph.tensor<?xf64> {normalized_shape = array<i64: 3>, eps = 1.0e-3 : f64} : !graph.tensor<?x0x?xf64>
  return %2#1 : !graph.tensor<?x0x1xf64>
}
