// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// A copy to where a tensor is already is the tensor itself; to another device it has the strides and a storage of its own.
// CHECK-LABEL: func.func @copies
// CHECK-SAME: graph.fake = "f32[2, 3] strides [3, 1] on cuda:0 storage 0 object 0"
func.func @copies(%x: !graph.tensor<2x3xf32, "cuda:0">) {
  // CHECK: graph.t {{.*}}"f32[3, 2] strides [1, 3] on cuda:0 storage 0 object
  %0 = graph.t %x : !graph.tensor<2x3xf32, "cuda:0">
  // CHECK: graph.to {{.*}}"f32[3, 2] strides [1, 3] on cuda:0 storage 0 object [[SAME:[0-9]+]]"
  %1 = graph.to %0 {device = "cuda"} : !graph.tensor<3x2xf32, "cuda:0">
  // CHECK: graph.to {{.*}}"f32[3, 2] strides [1, 3] storage 1 object
  %2 = graph.to %1 {device = "cpu"} : !graph.tensor<3x2xf32, "cuda:0">
  // CHECK: graph.zeros_like {{.*}}"f32[3, 2] strides [1, 3] on cuda:1 storage 2 object
  %3 = graph.zeros_like %2 {device = "cuda:1"} : !graph.tensor<3x2xf32>
  return
}

// What eager calls for a convolution keeps channels innermost on either device, but not of f64 on CUDA.
// CHECK-LABEL: func.func @convolutions
func.func @convolutions(%x: !graph.tensor<1x4x2x2xf64, "cuda:0"> {graph.layout = strided<[16, 1, 8, 4]>}, %w: !graph.tensor<4x4x1x1xf64, "cuda:0">,
                        %y: !graph.tensor<1x4x2x2xf64> {graph.layout = strided<[16, 1, 8, 4]>}, %v: !graph.tensor<4x4x1x1xf64>) {
  // CHECK: graph.conv2d {{.*}}strides [16, 4, 2, 1] on cuda:0
  %0 = graph.conv2d %x, %w : !graph.tensor<1x4x2x2xf64, "cuda:0">, !graph.tensor<4x4x1x1xf64, "cuda:0">
  // CHECK: graph.conv2d {{.*}}strides [16, 1, 8, 4] storage
  %1 = graph.conv2d %y, %v : !graph.tensor<1x4x2x2xf64>, !graph.tensor<4x4x1x1xf64>
  return
}

// cuFFT transforms in the order that it is given, the library for the CPU in that of strides.
// CHECK-LABEL: func.func @transforms
func.func @transforms(%x: !graph.tensor<4x3x2xf32, "cuda:0">, %y: !graph.tensor<4x3x2xf32>) {
  // CHECK: graph._fft_r2c {{.*}}"c64[3, 3, 2] strides [1, 3, 9] on cuda:0
  %0 = graph._fft_r2c %x {dim = array<i64: 2, 1, 0>, normalization = 0, onesided = true} : !graph.tensor<4x3x2xf32, "cuda:0">
  // CHECK: graph._fft_r2c {{.*}}"c64[3, 3, 2] strides [1, 6, 3] storage
  %1 = graph._fft_r2c %y {dim = array<i64: 2, 1, 0>, normalization = 0, onesided = true} : !graph.tensor<4x3x2xf32>
  return
}

// Statistics of half precision are f32 on CUDA.
// CHECK-LABEL: func.func @statistics
func.func @statistics(%x: !graph.tensor<2x4xf16, "cuda:0">, %y: !graph.tensor<2x4xf16>) {
  // CHECK: graph.native_layer_norm {{.*}}"f16[2, 4] strides [4, 1] on cuda:0 {{.*}}"f32[2, 1] strides [1, 1] on cuda:0
  %0:3 = graph.native_layer_norm %x {normalized_shape = array<i64: 4>, eps = 1.0e-5 : f64} : !graph.tensor<2x4xf16, "cuda:0">
  // CHECK: graph.native_layer_norm {{.*}}"f16[2, 1] strides [1, 1] storage
  %1:3 = graph.native_layer_norm %y {normalized_shape = array<i64: 4>, eps = 1.0e-5 : f64} : !graph.tensor<2x4xf16>
  return
}

// How many rows are not zero is a symbol on the device too.
// CHECK-LABEL: func.func @by_elements
func.func @by_elements(%x: !graph.tensor<4xf32, "cuda:0">) {
  // CHECK: graph.nonzero {{.*}}"i64[s0, 1] strides [1, s0] on cuda:0
  %0 = graph.nonzero %x : !graph.tensor<4xf32, "cuda:0">
  return
}
