// What is added in f32 leaves a mask of bytes a mask: of wider numbers it would be one of indices.
// RUN: terrace-opt %s --functional-widen | FileCheck %s

// CHECK-LABEL: func.func @add
// CHECK: %[[MASK:.*]] = functional._to_copy %{{.*}} {dtype = i1} : tensor<4xui8>
// CHECK: functional.index_put %{{.*}}[%[[MASK]]], %{{.*}} : tensor<4xf32>[tensor<4xi1>], tensor<2xf32>
func.func @add(%x: tensor<4xf16>, %m: tensor<4xui8>, %v: tensor<2xf16>) -> tensor<4xf16> {
  %0 = functional.index_put %x[%m], %v {present = array<i1: true>, accumulate = true} : tensor<4xf16>[tensor<4xui8>], tensor<2xf16>
  return %0 : tensor<4xf16>
}
