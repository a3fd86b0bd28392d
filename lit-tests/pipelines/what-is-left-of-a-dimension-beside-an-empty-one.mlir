// A size of -1 is what is left of the dimension, also where another dimension is empty and nothing is left of all elements.
// REQUIRES: x86
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": [1, 2, 3]}}, "args": [{"storage": "s", "sizes": [3, 1]}]}' > %t.json
// RUN: terrace-run %s --entry main --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s < %t.compiled
// CHECK: "sizes": [1, 3, 0]
func.func @main(%x: !graph.tensor<3x1xf32>) -> !graph.tensor<1x?x0xf32> {
  %rest = arith.constant -1 : i64
  %0 = graph.diff %x : !graph.tensor<3x1xf32>
  %1 = graph.unflatten %0 sizes [1, %rest] {dim = 0 : i64} : !graph.tensor<3x0xf32>
  return %1 : !graph.tensor<1x?x0xf32>
}
