// RUN: terrace-opt %s --verify-roundtrip | FileCheck %s

// Parts, flags and other element types over one storage.
// CHECK-LABEL: func.func @views
func.func @views(%z: !graph.tensor<3x4xcomplex<f32>>, %x: !graph.tensor<3x4xf32>) {
  // CHECK: graph.view_as_real %{{.*}} : !graph.tensor<3x4xcomplex<f32>>
  %parts = graph.view_as_real %z : !graph.tensor<3x4xcomplex<f32>>
  %back = graph.view_as_complex %parts : !graph.tensor<3x4x2xf32>
  %conj = graph._conj %back : !graph.tensor<3x4xcomplex<f32>>
  %neg = graph._neg_view %conj : !graph.tensor<3x4xcomplex<f32>>
  %re = graph.real %neg : !graph.tensor<3x4xcomplex<f32>>
  // CHECK: %[[IM:.*]] = graph.imag
  %im = graph.imag %neg : !graph.tensor<3x4xcomplex<f32>>
  // CHECK: graph.add %{{.*}}, %[[IM]] : !graph.tensor<3x4xf32>, !graph.tensor<3x4xf32>
  %sum = graph.add %re, %im : !graph.tensor<3x4xf32>, !graph.tensor<3x4xf32>
  // CHECK: graph.view.dtype %{{.*}} {dtype = complex<f64>} : !graph.tensor<3x4xf32>
  %wide = graph.view.dtype %x {dtype = complex<f64>} : !graph.tensor<3x4xf32>
  %one = graph.squeeze %wide {dim = array<i64: 1>} : !graph.tensor<3x1xcomplex<f64>>
  %copy = graph.view_copy.dtype %x {dtype = i16} : !graph.tensor<3x4xf32>
  %same = graph.resolve_conj %conj : !graph.tensor<3x4xcomplex<f32>>
  %w = graph.conj_physical_ %same : !graph.tensor<3x4xcomplex<f32>>
  return
}

// A number may be complex; a float keeps its width beside one.
// CHECK-LABEL: func.func @promotion
func.func @promotion(%x: !graph.tensor<4xf64>, %i: !graph.tensor<4xi64>, %z: !graph.tensor<4xcomplex<f32>>) -> (
    !graph.tensor<4xcomplex<f64>>, !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f64>>, !graph.tensor<4xf32>) {
  %j = complex.constant [0.0, 1.0] : complex<f64>
  // CHECK: graph.mul %{{.*}}, %{{.*}} : !graph.tensor<4xf64>, complex<f64>
  %0 = graph.mul %x, %j : !graph.tensor<4xf64>, complex<f64>
  %1 = graph.mul %i, %j : !graph.tensor<4xi64>, complex<f64>
  %2 = graph.mul %x, %z : !graph.tensor<4xf64>, !graph.tensor<4xcomplex<f32>>
  %3 = graph.abs %z : !graph.tensor<4xcomplex<f32>>
  return %0, %1, %2, %3 : !graph.tensor<4xcomplex<f64>>, !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f64>>,
                          !graph.tensor<4xf32>
}

// Half of the transform of real numbers tells the other.
// CHECK-LABEL: func.func @transforms
func.func @transforms(%x: !graph.tensor<3x6xf32>) -> (!graph.tensor<3x6xf32>, !graph.tensor<8x6xcomplex<f32>>) {
  // CHECK: graph._fft_r2c %{{.*}} {dim = array<i64: 1>, normalization = 0 : i64, onesided = true}
  %half = graph._fft_r2c %x {dim = array<i64: 1>, normalization = 0 : i64, onesided = true} : !graph.tensor<3x6xf32>
  %all = graph._fft_c2r %half last_dim_size [6] {dim = array<i64: 1>, normalization = 2 : i64}
      : !graph.tensor<3x4xcomplex<f32>>
  // CHECK: graph.fft_fft %{{.*}} {dim = 0 : i64, n = 8 : i64} : !graph.tensor<3x6xf32>
  %line = graph.fft_fft %x {n = 8 : i64, dim = 0 : i64} : !graph.tensor<3x6xf32>
  return %all, %line : !graph.tensor<3x6xf32>, !graph.tensor<8x6xcomplex<f32>>
}

// CHECK-LABEL: func.func @values
func.func @values(%re: tensor<4xf32>, %im: tensor<4xf32>) -> tensor<4xi64> {
  // CHECK: functional.complex %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>
  %z = functional.complex %re, %im : tensor<4xf32>, tensor<4xf32>
  %c = functional.conj_physical %z : tensor<4xcomplex<f32>>
  %t = functional._fft_c2c %c {dim = array<i64: 0>, normalization = 1 : i64, forward = false} : tensor<4xcomplex<f32>>
  // CHECK: functional.view.dtype %{{.*}} {dtype = i64} : tensor<4xcomplex<f32>>
  %v = functional.view.dtype %t {dtype = i64} : tensor<4xcomplex<f32>>
  return %v : tensor<4xi64>
}

// Powers are in the widest dtype; distances are real.
// CHECK-LABEL: func.func @wide
func.func @wide(%z: !graph.tensor<4xcomplex<f32>>, %x: !graph.tensor<4xf32>) -> (!graph.tensor<4xcomplex<f64>>, !graph.tensor<f32>) {
  // CHECK: graph.float_power %{{.*}}, %{{.*}} : !graph.tensor<4xf32>, !graph.tensor<4xcomplex<f32>>
  %p = graph.float_power %x, %z : !graph.tensor<4xf32>, !graph.tensor<4xcomplex<f32>>
  // CHECK: graph.l1_loss
  %l = graph.l1_loss %z, %x : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xf32>
  return %p, %l : !graph.tensor<4xcomplex<f64>>, !graph.tensor<f32>
}
