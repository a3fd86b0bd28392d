// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/182200
// Backward passes of Fourier transforms on CUDA failed where strides were not those that had been foretold: of several dimensions, and of
// products of a complex tensor and repeated real numbers, which CUDA does not copy before it looks at strides, unlike the CPU.
// CHECK-LABEL: func.func @transforms
func.func @transforms(%x: !graph.tensor<4x8x8xf32, "cuda:0">, %y: !graph.tensor<2x8x8x8xcomplex<f32>, "cuda:0">) {
  // CHECK: graph.fft_rfftn {{.*}}"c64[4, 8, 5] strides [8, 1, 32] on cuda:0
  %0 = graph.fft_rfftn %x : !graph.tensor<4x8x8xf32, "cuda:0">
  // CHECK: graph.fft_ifftn {{.*}}"c64[2, 8, 8, 8] strides [1, 128, 16, 2] on cuda:0
  %1 = graph.fft_ifftn %y : !graph.tensor<2x8x8x8xcomplex<f32>, "cuda:0">
  return
}

// CHECK-LABEL: func.func @products
func.func @products(%x: !graph.tensor<2x3xcomplex<f32>, "cuda:0"> {graph.layout = strided<[1, 2]>}, %k: !graph.tensor<3xf32, "cuda:0">,
                    %y: !graph.tensor<2x3xcomplex<f32>> {graph.layout = strided<[1, 2]>}, %l: !graph.tensor<3xf32>) {
  %0 = graph.expand %k size [2, 3] : !graph.tensor<3xf32, "cuda:0">
  // CHECK: graph.mul {{.*}}"c64[2, 3] strides [1, 2] on cuda:0
  %1 = graph.mul %0, %x : !graph.tensor<2x3xf32, "cuda:0">, !graph.tensor<2x3xcomplex<f32>, "cuda:0">
  %2 = graph.expand %l size [2, 3] : !graph.tensor<3xf32>
  // CHECK: graph.mul {{.*}}"c64[2, 3] strides [3, 1] storage
  %3 = graph.mul %2, %y : !graph.tensor<2x3xf32>, !graph.tensor<2x3xcomplex<f32>>
  return
}
