// A value is written back, and a new tensor made of it in place: the first is read before the second takes its memory.
// REQUIRES: x86
// RUN: echo '{"storages": {"s": {"dtype": "f16", "data": [3, 6]}}, "args": [{"storage": "s", "dtype": "f16", "sizes": [2], "strides": [1], "offset": 0}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json | FileCheck %s
// RUN: terrace-run %s --inputs %t.json --target=interpret | FileCheck %s
// CHECK: "s": {"dtype": "f16", "data": [2.0, 4.0]}
// CHECK: "data": [2.0, 8.0]
func.func @main(%x: !graph.tensor<2xf16>) -> !graph.tensor<2xf16> {
  %k = arith.constant 1.5 : f64
  %two = arith.constant 2.0 : f64
  %0 = graph.div %x, %k : !graph.tensor<2xf16>, f64
  %1 = graph.copy_ %x, %0 : !graph.tensor<2xf16>, !graph.tensor<2xf16>
  %2 = graph.select %0 index [1] : !graph.tensor<2xf16>
  %3 = graph.mul_ %2, %two : !graph.tensor<f16>, f64
  return %0 : !graph.tensor<2xf16>
}
