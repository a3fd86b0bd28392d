// RUN: terrace-opt %s --functional-partition | FileCheck %s

// The second draw comes after the first also where only the first depends on a tangent: else it would draw the first's numbers.
// CHECK-LABEL: func.func private @f.forward(
// CHECK-NOT: graph.rand
// CHECK-LABEL: func.func private @f.backward(
// CHECK: graph.bernoulli
// CHECK-NEXT: graph.rand
// CHECK: func.func @f(
func.func @f(%g: tensor<4xf32> {functional.tangent}) -> (tensor<4xf32> {functional.gradient}, tensor<4xf32> {functional.gradient}) {
  %s = graph.fresh %g : tensor<4xf32>
  %b = graph.bernoulli %s : !graph.tensor<4xf32>
  %r = graph.rand [4]
  %v = graph.value %r : !graph.tensor<4xf32>
  %w = graph.value %b : !graph.tensor<4xf32>
  return %v, %w : tensor<4xf32>, tensor<4xf32>
}
