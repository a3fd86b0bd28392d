// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/141426
// The strides of a Fourier transform on CUDA were row-major, and then those of its conjugate wrong too. The dimension that is transformed
// is innermost (on the CPU as well: issue 144150), and the conjugate is laid out like the transform.
// CHECK-LABEL: func.func @transformed
func.func @transformed(%x: !graph.tensor<5x3x6xcomplex<f64>, "cuda:0">, %y: !graph.tensor<5x6x7xcomplex<f32>>) {
  // CHECK: graph._fft_c2c {{.*}}"c128[5, 3, 6] strides [18, 1, 3] on cuda:0
  %0 = graph._fft_c2c %x {dim = array<i64: 1>, normalization = 1, forward = true} : !graph.tensor<5x3x6xcomplex<f64>, "cuda:0">
  // CHECK: graph.conj_physical {{.*}}"c128[5, 3, 6] strides [18, 1, 3] on cuda:0
  %1 = graph.conj_physical %0 : !graph.tensor<5x3x6xcomplex<f64>, "cuda:0">
  // CHECK: graph._fft_c2c {{.*}}"c64[5, 6, 7] strides [1, 35, 5] storage
  %2 = graph._fft_c2c %y {dim = array<i64: 0>, normalization = 2, forward = false} : !graph.tensor<5x6x7xcomplex<f32>>
  return
}
