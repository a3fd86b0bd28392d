// Roots and powers differ of -0 and of -inf: each as eager has it.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [-0.0, 0.0, "-inf", 4]}}, "args": [{"storage": "x", "sizes": [4]}, -0.5]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s < %t.compiled
// CHECK: "data": ["-inf", "inf", "nan", 0.5]
// CHECK: "data": ["-inf", "inf", "nan", 0.5]
// CHECK: "data": ["inf", "inf", 0.0, 0.5]
func.func @main(%x: !graph.tensor<4xf32>, %e: f64) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  %half = arith.constant -0.5 : f64
  %0 = graph.pow %x, %half : !graph.tensor<4xf32>, f64
  %of_run = graph.pow %x, %e : !graph.tensor<4xf32>, f64
  %halves = graph.full_like %x, %half : !graph.tensor<4xf32>, f64
  %1 = graph.pow %x, %halves : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %0, %of_run, %1 : !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>
}
