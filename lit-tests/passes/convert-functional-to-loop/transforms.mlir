// A Fourier transform is a call of the runtime, into a destination whose sizes say how much of it there is.
// RUN: terrace-opt %s -convert-functional-to-loop | FileCheck %s

// CHECK-LABEL: func.func @there_and_back
// CHECK: %[[HALF:.*]] = loop.fft %{{.*}} along [0, 1] normalization 0 into %{{.*}} : tensor<8x6xf32> into tensor<8x4xcomplex<f32>>
// CHECK: loop.fft inverse %[[HALF]] along [0, 1] normalization 2 into %{{.*}} : tensor<8x4xcomplex<f32>> into tensor<8x6xf32>
func.func @there_and_back(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = functional._fft_r2c %x {dim = array<i64: 0, 1>, normalization = 0 : i64, onesided = true} : tensor<8x6xf32>
  %1 = functional._fft_c2r %0 last_dim_size [6] {dim = array<i64: 0, 1>, normalization = 2 : i64} : tensor<8x4xcomplex<f32>>
  return %1 : tensor<8x6xf32>
}

// What is transformed along no dimension is copied.
// CHECK-LABEL: func.func @nothing
// CHECK-NOT: loop.fft
// CHECK: loop.pointwise
func.func @nothing(%x: tensor<8xcomplex<f64>>) -> tensor<8xcomplex<f64>> {
  %0 = functional._fft_c2c %x {dim = array<i64>, normalization = 0 : i64, forward = true} : tensor<8xcomplex<f64>>
  return %0 : tensor<8xcomplex<f64>>
}

// CHECK-LABEL: func.func @of_the_run
// CHECK: %[[N:.*]] = tensor.dim
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[N]]) : tensor<?xcomplex<f64>>
// CHECK: loop.fft %{{.*}} along [0] normalization 1 into %[[EMPTY]]
func.func @of_the_run(%x: tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
  %0 = functional._fft_c2c %x {dim = array<i64: 0>, normalization = 1 : i64, forward = true} : tensor<?xcomplex<f64>>
  return %0 : tensor<?xcomplex<f64>>
}
