// Two results begin with one value and each has something of its own written over: neither loses what is in it.
// REQUIRES: x86
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "s", "dtype": "f32", "sizes": [2, 2], "strides": [2, 1], "offset": 0}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json | FileCheck %s
// RUN: terrace-run %s --inputs %t.json --target=interpret | FileCheck %s
// CHECK: "data": [1.0, 8.0, 9.0, 32.0]
// CHECK: "data": [1.0, 3.0, 9.0, 3.0]
func.func @main(%x: !graph.tensor<2x2xf32> {graph.storage = "x"}) -> (!graph.tensor<2x2xf32>, !graph.tensor<2xf32>) {
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3 : i64
  %a = graph.clone %x : !graph.tensor<2x2xf32>
  %s = graph.mul %x, %x : !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>
  %c = graph.select %s index [1] {dim = 1 : i64} : !graph.tensor<2x2xf32>
  %d = graph.mul_ %c, %two : !graph.tensor<2xf32>, f64
  %r = graph.copy_ %a, %s : !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>
  %f = graph.fill_ %d, %three : !graph.tensor<2xf32>, i64
  return %r, %f : !graph.tensor<2x2xf32>, !graph.tensor<2xf32>
}
