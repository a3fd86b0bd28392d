// RUN: terrace-opt %s --graph-resolve-views | FileCheck %s

// What is not summed is seen in another order.
// CHECK-LABEL: func.func @view
// CHECK-SAME: (%[[A:.*]]: !graph.tensor<2x3x2xf32>)
func.func @view(%a: !graph.tensor<2x3x2xf32>) -> !graph.tensor<3x2xf32> {
  // CHECK-NEXT: %[[D:.*]] = graph.diagonal %[[A]] {{.*}}!graph.tensor<2x3x2xf32>
  // CHECK-NEXT: %[[P:.*]] = graph.permute %[[D]] {{.*}}!graph.tensor<3x2xf32>
  // CHECK-NEXT: return %[[P]]
  %0 = graph.einsum "iji->ji", %a : !graph.tensor<2x3x2xf32>
  return %0 : !graph.tensor<3x2xf32>
}

// A sum and a product have tensors of their own.
// CHECK-LABEL: func.func @new
func.func @new(%a: !graph.tensor<2x3xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<2x3xf32>) {
  // CHECK-NEXT: graph.einsum "ij->i"
  // CHECK-NEXT: graph.einsum "ij,ij->ij"
  %0 = graph.einsum "ij->i", %a : !graph.tensor<2x3xf32>
  %1 = graph.einsum "ij,ij->ij", %a, %a : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  return %0, %1 : !graph.tensor<2xf32>, !graph.tensor<2x3xf32>
}
