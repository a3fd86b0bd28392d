// RUN: terrace-opt %s --graph-functionalize --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @threshold.core
// CHECK: %[[BELOW:.*]] = functional.le %[[X:.*]], %{{.*}}
// CHECK: functional.where %[[BELOW]], %{{.*}}, %{{.*}}
func.func @threshold(%g: !graph.tensor<2x3xf32>, %x: !graph.tensor<2x3xf32>) -> !graph.tensor<2x3xf32> {
  %k = arith.constant 0.5 : f64
  %0 = graph.threshold_backward %g, %x, %k : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>, f64
  return %0 : !graph.tensor<2x3xf32>
}

// y * (g - sum(g * y))
// CHECK-LABEL: func.func private @softmax.core
// CHECK-SAME: %[[G:.*]]: tensor<2x3xf32>, %[[Y:.*]]: tensor<2x3xf32>
// CHECK: %[[GY:.*]] = functional.mul %[[G]], %[[Y]]
// CHECK: %[[S:.*]] = functional.sum %[[GY]] {dim = array<i64: 1>, keepdim = true}
// CHECK: %[[E:.*]] = functional.expand %[[S]] size [2, 3]
// CHECK: %[[D:.*]] = functional.sub %[[G]], %[[E]]
// CHECK: functional.mul %[[Y]], %[[D]]
func.func @softmax(%g: !graph.tensor<2x3xf32>, %y: !graph.tensor<2x3xf32>) -> !graph.tensor<2x3xf32> {
  %0 = graph._softmax_backward_data %g, %y {dim = 1, input_dtype = f32} : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  return %0 : !graph.tensor<2x3xf32>
}

// Only what the mask asks for is computed: the sum of the gradients of all rows.
// CHECK-LABEL: func.func private @layer_norm.core
// CHECK-NOT: functional.div
// CHECK: functional.sum %{{.*}} {dim = array<i64: 0>}
// CHECK-NEXT: return
func.func @layer_norm(%g: !graph.tensor<2x3xf32>, %x: !graph.tensor<2x3xf32>, %m: !graph.tensor<2x1xf32>) -> !graph.tensor<3xf32> {
  %0 = graph.native_layer_norm_backward %g, %x mean %m rstd %m {normalized_shape = array<i64: 3>, output_mask = array<i1: false, false, true>} : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>, !graph.tensor<2x1xf32>, !graph.tensor<2x1xf32>
  return %0 : !graph.tensor<3xf32>
}
