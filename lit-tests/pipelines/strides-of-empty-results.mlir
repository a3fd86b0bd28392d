// An empty result is row-major whatever strides its operand has, and an empty dimension counts as one index: as eager lays it out, also
// where the run knows the other sizes.
// REQUIRES: x86
// RUN: echo '{"storages": {"s": {"dtype": "f64", "data": [1, -4, 2, 3, 5, 6]}, "w": {"dtype": "f64", "data": [2, 3, 4]}}, "args": [{"storage": "s", "sizes": [2, 1, 3], "strides": [3, 3, 1]}, {"storage": "w", "sizes": [3]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json | FileCheck %s
// RUN: terrace-run %s --inputs %t.json --target=interpret | FileCheck %s

// CHECK: "sizes": [2, 0, 3], "strides": [3, 3, 1]
func.func @main(%a: !graph.tensor<2x?x?xf64> {graph.storage = "s0", graph.layout = strided<[3, ?, 1], offset: 0>}, %w: !graph.tensor<?xf64>) -> !graph.tensor<2x?x?xf64> {
  %two = arith.constant 2 : i64
  %0 = graph.slice %a start [0] end [0] step [3] {dim = -2 : i64} : !graph.tensor<2x?x?xf64>
  %1 = graph.pow %0, %two : !graph.tensor<2x?x?xf64>, i64
  return %1 : !graph.tensor<2x?x?xf64>
}
