// Of strides that are not known the boundary writes back through the tensor that was written, but not where that sees elements as ones
// of another dtype: then the argument is written as a whole.
// RUN: terrace-opt %s --graph-functionalize | FileCheck %s
// RUN: terrace-check %s --runs 10

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<6xi32>
// CHECK: graph.write_back %{{.*}} into %[[X]] : tensor<6xi32>, !graph.tensor<6xi32>
func.func @f(%x: !graph.tensor<6xi32> {graph.layout = "any"}) {
  %v = graph.view.dtype %x {dtype = f32} : !graph.tensor<6xi32>
  %w = graph.view %v size [2, 3] : !graph.tensor<6xf32>
  %y = graph.neg_ %w : !graph.tensor<2x3xf32>
  return
}
