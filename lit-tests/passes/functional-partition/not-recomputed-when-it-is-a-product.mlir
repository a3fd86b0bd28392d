// RUN: terrace-opt %s --functional-partition | FileCheck %s

// The product is four times as wide as what it is made of, and is saved.
// CHECK-LABEL: func.func private @f.backward(
// CHECK-SAME: tensor<32x32xf32>, %{{.*}}: tensor<32x32xf32>)
// CHECK-NOT: functional.mm
// CHECK: func.func @f(
func.func @f(%x: tensor<32x2xf32>, %g: tensor<32x32xf32> {functional.tangent}) -> (tensor<32x32xf32> {functional.gradient}) {
  %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<32x2xf32>
  %p = functional.mm %x, %t : tensor<32x2xf32>, tensor<2x32xf32>
  %d = functional.mul %g, %p : tensor<32x32xf32>, tensor<32x32xf32>
  return %d : tensor<32x32xf32>
}
