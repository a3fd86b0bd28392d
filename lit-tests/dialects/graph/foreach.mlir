// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @lists
func.func @lists(%a: !graph.tensor<2xf32>, %b: !graph.tensor<3xf32>, %c: !graph.tensor<f32>, %k: f64) {
  // CHECK: %[[R:.*]]:2 = graph._foreach_add.List[%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] alpha %{{.*}} : f64 : [!graph.tensor<2xf32>, !graph.tensor<3xf32>], [!graph.tensor<2xf32>, !graph.tensor<3xf32>]
  // CHECK: graph.neg %[[R]]#1 : !graph.tensor<3xf32>
  %0:2 = graph._foreach_add.List [%a, %b], [%a, %b] alpha %k : f64 : [!graph.tensor<2xf32>, !graph.tensor<3xf32>], [!graph.tensor<2xf32>, !graph.tensor<3xf32>]
  %1 = graph.neg %0#1 : !graph.tensor<3xf32>
  // CHECK: graph._foreach_mul_.Scalar[%{{.*}}, %{{.*}}], %{{.*}} : [!graph.tensor<2xf32>, !graph.tensor<3xf32>], f64
  graph._foreach_mul_.Scalar [%a, %b], %k : [!graph.tensor<2xf32>, !graph.tensor<3xf32>], f64
  // CHECK: graph._foreach_mul_.Tensor[%{{.*}}, %{{.*}}], %{{.*}} : [!graph.tensor<2xf32>, !graph.tensor<3xf32>], !graph.tensor<f32>
  graph._foreach_mul_.Tensor [%a, %b], %c : [!graph.tensor<2xf32>, !graph.tensor<3xf32>], !graph.tensor<f32>
  // CHECK: graph._foreach_addcdiv_.ScalarList[%{{.*}}], [%{{.*}}], [%{{.*}}], [%{{.*}}] : [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], [f64]
  graph._foreach_addcdiv_.ScalarList [%a], [%a], [%a], [%k] : [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], [f64]
  // CHECK: %[[N:.*]] = graph._foreach_norm.Scalar[%{{.*}}] : [!graph.tensor<2xf32>]
  // CHECK: graph.neg %[[N]] : !graph.tensor<f32>
  %2 = graph._foreach_norm.Scalar [%a] : [!graph.tensor<2xf32>]
  %3 = graph.neg %2 : !graph.tensor<f32>
  // CHECK: graph._foreach_sqrt_[%{{.*}}, %{{.*}}] : [!graph.tensor<2xf32>, !graph.tensor<3xf32>]
  graph._foreach_sqrt_ [%a, %b] : [!graph.tensor<2xf32>, !graph.tensor<3xf32>]
  return
}

// CHECK-LABEL: func.func @numbers_of_a_vector
func.func @numbers_of_a_vector(%a: !graph.tensor<2xf32>, %k: !graph.tensor<1xi64>) {
  // CHECK: graph._foreach_addcmul.Tensor[%{{.*}}], [%{{.*}}], [%{{.*}}], %{{.*}} : [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], !graph.tensor<1xi64>
  %0 = graph._foreach_addcmul.Tensor [%a], [%a], [%a], %k : [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], !graph.tensor<1xi64>
  graph._foreach_addcdiv_.Tensor [%a], [%a], [%a], %k : [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], !graph.tensor<1xi64>
  return
}
