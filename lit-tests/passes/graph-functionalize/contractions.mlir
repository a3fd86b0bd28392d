// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// What no other operand has is summed by a batch of matrix products.
// CHECK-LABEL: func.func private @einsum.core
// CHECK-SAME: %[[A:.*]]: tensor<2x3x4xf32>, %[[B:.*]]: tensor<2x5x4xf32>
// CHECK: %[[PRODUCT:.*]] = functional.bmm %{{.*}}, %{{.*}} : tensor<2x3x4xf32>, tensor<2x4x5xf32>
func.func @einsum(%a: !graph.tensor<2x3x4xf32>, %b: !graph.tensor<2x5x4xf32>) -> !graph.tensor<2x3x5xf32> {
  %0 = graph.einsum "bik,bjk->bij", %a, %b : !graph.tensor<2x3x4xf32>, !graph.tensor<2x5x4xf32>
  return %0 : !graph.tensor<2x3x5xf32>
}

// Before the second factor's rows all is rows.
// CHECK-LABEL: func.func private @matmul.core
// CHECK: functional.view %{{.*}} size [10, 3]
// CHECK: functional.mm
func.func @matmul(%a: !graph.tensor<5x2x3xf32>, %b: !graph.tensor<3x4xf32>) -> !graph.tensor<5x2x4xf32> {
  %0 = graph.matmul %a, %b : !graph.tensor<5x2x3xf32>, !graph.tensor<3x4xf32>
  return %0 : !graph.tensor<5x2x4xf32>
}

// The odd zero stands at the end.
// CHECK-LABEL: func.func private @same.core
// CHECK: functional.slice_scatter %{{.*}}, %{{.*}} start [0] end [5] step [1] {dim = 2 : i64} : tensor<1x3x6xf32>, tensor<1x3x5xf32>
// CHECK: functional.convolution
func.func @same(%x: !graph.tensor<3x5xf32>, %w: !graph.tensor<4x3x2xf32>) -> !graph.tensor<4x5xf32> {
  %0 = graph.conv1d.padding %x, %w {padding = "same"} : !graph.tensor<3x5xf32>, !graph.tensor<4x3x2xf32>
  return %0 : !graph.tensor<4x5xf32>
}

// A convolution of complex numbers is a sum of real ones: it lies as they do where that is no question of one channel.
// CHECK-LABEL: func.func @complex_of_one_channel
// CHECK: %[[Y:.*]] = graph.fresh
// CHECK-NEXT: return %[[Y]]
func.func @complex_of_one_channel(%x: !graph.tensor<2x1x3x3xcomplex<f64>>, %w: !graph.tensor<1x1x1x2xcomplex<f64>> {graph.layout = strided<[2, 1, 2, 1]>}) -> !graph.tensor<2x1x3x2xcomplex<f64>> {
  %0 = graph.conv2d %x, %w {padding = array<i64: 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : !graph.tensor<2x1x3x3xcomplex<f64>>, !graph.tensor<1x1x1x2xcomplex<f64>>
  return %0 : !graph.tensor<2x1x3x2xcomplex<f64>>
}
