// A copy of an argument with strides takes the sizes that its type does not say from the argument itself.
// RUN: terrace-opt %s --functional-view-to-copy --functional-verify-contiguous | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x2xf32>
// CHECK: %[[D:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?x2xf32>
// CHECK: %[[N:.*]] = arith.index_cast %[[D]] : index to i64
// CHECK: %[[C:.*]] = functional.view_copy %[[X]] size [%[[N]], 2]
// CHECK: functional.neg %[[C]]
func.func @f(%x: tensor<?x2xf32> {functional.layout = strided<[1, 2]>}) -> tensor<?x2xf32> {
  %0 = functional.neg %x : tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// Strides of rows do not depend on how many there are.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: view_copy
// CHECK: functional.neg
func.func @rows(%x: tensor<?x2xf32> {functional.layout = strided<[2, 1], offset: ?>}) -> tensor<?x2xf32> {
  %0 = functional.neg %x : tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
