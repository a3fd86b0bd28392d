// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @no_order(%z: !graph.tensor<4xcomplex<f32>>, %w: !graph.tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{"lt_cpu" not implemented for 'ComplexFloat'}}
  %0 = graph.lt %z, %w : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
  return
}

// -----

func.func @no_order_of_numbers(%x: !graph.tensor<4xf64>) {
  %j = complex.constant [0.0, 1.0] : complex<f64>
  // expected-error @+1 {{"ge_cpu" not implemented for 'ComplexDouble'}}
  %0 = graph.ge %x, %j : !graph.tensor<4xf64>, complex<f64>
  return
}

// -----

func.func @no_rounding(%z: !graph.tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{floor is not supported for complex inputs}}
  %0 = graph.floor %z : !graph.tensor<4xcomplex<f32>>
  return
}

// -----

func.func @no_real_result(%x: !graph.tensor<4xf32>, %z: !graph.tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{result type ComplexFloat can't be cast to the desired output type Float}}
  %0 = graph.add_ %x, %z : !graph.tensor<4xf32>, !graph.tensor<4xcomplex<f32>>
  return
}

// -----

func.func @magnitude_in_place(%z: !graph.tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{In-place abs is not supported for complex tensors.}}
  %0 = graph.abs_ %z : !graph.tensor<4xcomplex<f32>>
  return
}

// -----

func.func @imaginary_fill(%x: !graph.tensor<4xf32>) {
  %j = complex.constant [0.0, 1.0] : complex<f64>
  // expected-error @+1 {{value cannot be converted to type float without overflow}}
  %0 = graph.fill_ %x, %j : !graph.tensor<4xf32>, complex<f64>
  return
}

// -----

func.func @half(%x: !graph.tensor<4xf16>) {
  %j = complex.constant [0.0, 1.0] : complex<f64>
  // expected-error @+1 {{makes complex numbers of half precision, which are not supported: convert to f32 first}}
  %0 = graph.mul %x, %j : !graph.tensor<4xf16>, complex<f64>
  return
}

// -----

func.func @pairs(%x: !graph.tensor<4x3xf32>) {
  // expected-error @+1 {{Tensor must have a last dimension of size 2}}
  %0 = graph.view_as_complex %x : !graph.tensor<4x3xf32>
  return
}

// -----

func.func @sizes(%x: !graph.tensor<4x3xf32>) {
  // expected-error @+1 {{self.size(-1) must be divisible by 2 to view Float as Double (different element sizes), but got 3}}
  %0 = graph.view.dtype %x {dtype = f64} : !graph.tensor<4x3xf32>
  return
}

// -----

func.func @real_conjugate(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{expects a complex tensor, got Float}}
  %0 = graph._conj %x : !graph.tensor<4xf32>
  return
}

// -----

func.func @transform(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{Only supports complex dtypes, but found: Float}}
  %0 = graph._fft_c2c %x {dim = array<i64: 0>, normalization = 0 : i64, forward = true} : !graph.tensor<4xf32>
  return
}

// -----

func.func @mirrored(%z: !graph.tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{expects 5 numbers along dimension 0 for 9 of a transform, got 4}}
  %0 = graph._fft_c2r %z last_dim_size [9] {dim = array<i64: 0>, normalization = 0 : i64} : !graph.tensor<4xcomplex<f32>>
  return
}

// -----

func.func @points(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{Invalid number of data points (0) specified}}
  %0 = graph.fft_rfft %x {n = 0 : i64} : !graph.tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{got 'complex<f16>'}}
func.func @element(%x: !graph.tensor<4xcomplex<f16>>) { return }

// -----

func.func @powers(%x: !graph.tensor<4xf64>, %z: !graph.tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{the base given to float_power_ has dtype Double but the operation's result requires dtype ComplexDouble}}
  %0 = graph.float_power_ %x, %z : !graph.tensor<4xf64>, !graph.tensor<4xcomplex<f32>>
  return
}

// -----

func.func @counted() {
  // expected-error @+1 {{prims.iota only supports integer dtypes}}
  %0 = graph.prims.iota {length = 3 : i64, start = 0 : i64, step = 1 : i64, dtype = complex<f32>}
  return
}

// -----

func.func @shrunk(%x: !graph.tensor<4xf32>) {
  %i = complex.constant [0.0, 1.0] : complex<f64>
  // expected-error @+1 {{value cannot be converted to type double without overflow}}
  %0 = graph.softshrink %x lambd %i : complex<f64> : !graph.tensor<4xf32>
  return
}

// -----

// One part is the mean of all, which eager takes.
func.func @parts_of_volumes(%z: !graph.tensor<1x2x3x3x3xcomplex<f32>>) {
  %0 = graph.adaptive_avg_pool3d %z {output_size = array<i64: 1, 1, 1>} : !graph.tensor<1x2x3x3x3xcomplex<f32>>
  // expected-error @+1 {{"adaptive_avg_pool3d_cpu" not implemented for 'ComplexFloat'}}
  %1 = graph.adaptive_avg_pool3d %z {output_size = array<i64: 2, 1, 1>} : !graph.tensor<1x2x3x3x3xcomplex<f32>>
  return
}

// -----

func.func @logits(%z: !graph.tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{"logit_cpu" not implemented for 'ComplexFloat'}}
  %0 = graph.logit %z : !graph.tensor<4xcomplex<f32>>
  return
}

// -----

func.func @slopes(%z: !graph.tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{"hardswish_backward_cpu" not implemented for 'ComplexFloat'}}
  %0 = graph.hardswish_backward %z, %z : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
  return
}

// -----

func.func @divergence(%z: !graph.tensor<4xcomplex<f32>>, %x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{kl_div: Complex inputs not supported.}}
  %0 = graph.kl_div %z, %x : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xf32>
  return
}
