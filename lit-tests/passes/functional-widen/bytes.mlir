// RUN: terrace-opt %s --functional-widen | FileCheck %s

// CHECK-LABEL: @wraps
// CHECK-DAG: %[[A:.*]] = functional._to_copy %arg0 {dtype = i32} : tensor<4xui8>
// CHECK-DAG: %[[B:.*]] = functional._to_copy %arg1 {dtype = i32} : tensor<4xui8>
// CHECK: %[[S:.*]] = functional.add %[[A]], %[[B]] : tensor<4xi32>, tensor<4xi32>
// CHECK: functional._to_copy %[[S]] {dtype = ui8} : tensor<4xi32>
func.func @wraps(%x: tensor<4xui8>, %y: tensor<4xui8>) -> tensor<4xui8> {
  %s = functional.add %x, %y : tensor<4xui8>, tensor<4xui8>
  return %s : tensor<4xui8>
}

// Truth of bytes is a byte.
// CHECK-LABEL: @truth
// CHECK: %[[T:.*]] = functional.any %{{.*}} {dim = array<i64: 0>} : tensor<4xi32>
// CHECK: functional._to_copy %[[T]] {dtype = ui8} : tensor<i1>
func.func @truth(%x: tensor<4xui8>) -> tensor<ui8> {
  %s = functional.any %x {dim = array<i64: 0>} : tensor<4xui8>
  return %s : tensor<ui8>
}
