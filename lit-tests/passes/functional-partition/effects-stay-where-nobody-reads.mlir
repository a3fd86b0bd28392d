// RUN: terrace-opt %s --functional-partition | FileCheck %s

// What has effects runs once, in the part that it belongs to, though it gives nothing to anybody.
// CHECK-LABEL: func.func private @f.forward(
// CHECK: call @seen
// CHECK-NOT: call @seen
// CHECK-LABEL: func.func private @f.backward(
// CHECK: call @seen
// CHECK-NOT: call @seen
// CHECK-LABEL: func.func @f(
// CHECK-NOT: call @seen
func.func private @seen(tensor<4xf32>)
func.func @f(%x: tensor<4xf32>, %g: tensor<4xf32> {functional.tangent}) -> (tensor<4xf32>, tensor<4xf32> {functional.gradient}) {
  %y = functional.exp %x : tensor<4xf32>
  call @seen(%x) : (tensor<4xf32>) -> ()
  %d = functional.mul %g, %y : tensor<4xf32>, tensor<4xf32>
  call @seen(%g) : (tensor<4xf32>) -> ()
  return %y, %d : tensor<4xf32>, tensor<4xf32>
}
