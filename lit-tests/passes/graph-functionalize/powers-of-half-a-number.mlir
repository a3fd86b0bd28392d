// A power of half a number is a root where eager computes it as one: the exponent is a number, no element of a tensor.
// RUN: terrace-opt %s --pass-pipeline="builtin.module(func.func(graph-resolve-views),graph-functionalize)" | FileCheck %s

// CHECK-LABEL: func.func private @main.core(
// CHECK: functional.sqrt %arg0
// CHECK: functional.rsqrt %arg0
// CHECK: functional.pow %arg0
// CHECK: functional.pow
func.func @main(%x: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  %half = arith.constant 0.5 : f64
  %less = arith.constant -0.5 : f64
  %other = arith.constant 1.5 : f64
  %0 = graph.pow %x, %half : !graph.tensor<4xf32>, f64
  %1 = graph.pow %x, %less : !graph.tensor<4xf32>, f64
  %2 = graph.pow %x, %other : !graph.tensor<4xf32>, f64
  %halves = graph.full_like %x, %half : !graph.tensor<4xf32>, f64
  %3 = graph.pow %x, %halves : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %0, %1, %2, %3 : !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>
}

// A number of the run is compared; one that is an integer is no half.
// CHECK-LABEL: func.func private @compared.core(
// CHECK: functional.pow
// CHECK: functional.eq
// CHECK: functional.sqrt
// CHECK: functional.where
// CHECK: functional.eq
// CHECK: functional.rsqrt
// CHECK: functional.where
// CHECK: functional.pow
// CHECK-NOT: functional.eq
func.func @compared(%x: !graph.tensor<4xf32>, %e: f64, %i: i64) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  %0 = graph.pow %x, %e : !graph.tensor<4xf32>, f64
  %1 = graph.pow %x, %i : !graph.tensor<4xf32>, i64
  return %0, %1 : !graph.tensor<4xf32>, !graph.tensor<4xf32>
}
