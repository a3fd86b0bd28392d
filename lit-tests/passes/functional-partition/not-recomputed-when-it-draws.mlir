// RUN: terrace-opt %s --functional-partition=memory-budget=0 | FileCheck %s

// What is drawn is saved, however wide: it would be drawn anew.
// CHECK-LABEL: func.func private @f.forward(
// CHECK: graph.rand
// CHECK-LABEL: func.func private @f.backward(
// CHECK-SAME: tensor<64x64xf32>
// CHECK-NOT: graph.rand
// CHECK: func.func @f(
func.func @f(%x: tensor<64xf32>, %g: tensor<64x64xf32> {functional.tangent}) -> (tensor<64x64xf32> {functional.gradient}) {
  %r = graph.rand [64, 64]
  %v = graph.value %r : !graph.tensor<64x64xf32>
  %m = functional.neg %v : tensor<64x64xf32>
  %d = functional.mul %g, %m : tensor<64x64xf32>, tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}
