// RUN: terrace-opt %s --functional-partition | FileCheck %s

// What is read behind a write of the backward part is read there.
// CHECK-LABEL: func.func private @f.forward(
// CHECK-NOT: graph.value
// CHECK-LABEL: func.func private @f.backward(
// CHECK: graph.write_back
// CHECK-NEXT: graph.value
// CHECK: func.func @f(
func.func @f(%x: tensor<4xf32>, %g: tensor<4xf32> {functional.tangent}) -> (tensor<4xf32> {functional.gradient}) {
  %s = graph.fresh %g : tensor<4xf32>
  %d = functional.neg %g : tensor<4xf32>
  graph.write_back %d into %s : tensor<4xf32>, !graph.tensor<4xf32>
  %v = graph.value %s : !graph.tensor<4xf32>
  return %v : tensor<4xf32>
}
