// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @nothing_to_compare(%x: !graph.tensor<2x0xf32>) {
  // expected-error @+1 {{'graph.max.dim' op max(): Expected reduction dim 1 to have non-zero size.}}
  %0:2 = graph.max.dim %x {dim = 1} : !graph.tensor<2x0xf32>
  return
}

// -----

func.func @nothing_at_all(%x: !graph.tensor<0xf32>) {
  // expected-error @+1 {{'graph.argmin' op argmin(): Expected reduction dim to be specified for input.numel() == 0.}}
  %0 = graph.argmin %x : !graph.tensor<0xf32>
  return
}

// -----

func.func @too_many(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.topk' op selected index k out of range}}
  %0:2 = graph.topk %x {k = 3} : !graph.tensor<2xf32>
  return
}

// -----

func.func @no_mask(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.masked_select' op masked_select: expected BoolTensor for mask}}
  %0 = graph.masked_select %x, %x : !graph.tensor<2xf32>, !graph.tensor<2xf32>
  return
}

// -----

func.func @scalar(%x: !graph.tensor<f32>) {
  // expected-error @+1 {{'graph.cummax' op cummax(): Expected reduction dim -1 or 0 for scalar but got 1}}
  %0:2 = graph.cummax %x {dim = 1} : !graph.tensor<f32>
  return
}

// -----

func.func @integers(%x: !graph.tensor<2xi64>) {
  // expected-error @+1 {{'graph.var_mean' op var_mean only support floating point and complex dtypes}}
  %0:2 = graph.var_mean %x : !graph.tensor<2xi64>
  return
}

// -----

func.func @narrowing(%x: !graph.tensor<2xf64>) {
  // expected-error @+1 {{'graph.linalg_vector_norm' op linalg.vector_norm: the dtype of the input (Double) should be convertible without narrowing to the specified dtype (Float)}}
  %0 = graph.linalg_vector_norm %x {dtype = f32} : !graph.tensor<2xf64>
  return
}

// -----

func.func @no_bound(%x: !graph.tensor<2xf64>) {
  // expected-error @+1 {{'graph.clamp' op torch.clamp: At least one of 'min' or 'max' must not be None}}
  %0 = graph.clamp %x : !graph.tensor<2xf64>
  return
}

// -----

func.func @float_bound_in_place(%x: !graph.tensor<2xi64>) {
  %k = arith.constant 0.5 : f64
  // expected-error @+1 {{'graph.clamp_min_' op result type Float can't be cast to the desired output type long int}}
  %0 = graph.clamp_min_ %x, %k : !graph.tensor<2xi64>, f64
  return
}

// -----

func.func @nothing_left(%x: !graph.tensor<2xi32>) {
  %k = arith.constant 1099511627776 : i64
  // expected-error @+1 {{'graph.clamp' op Clamp min value 1.09951e+12 is outside the representable range of Int}}
  %0 = graph.clamp %x min %k : i64 : !graph.tensor<2xi32>
  return
}

// -----

func.func @bounds_of_two_kinds(%x: !graph.tensor<2xi32>) {
  %k = arith.constant 1 : i64
  // expected-error @+1 {{'graph.clamp' op expects two tensors for bounds, or two numbers}}
  %0 = graph.clamp %x min %k : i64 max %x : !graph.tensor<2xi32> : !graph.tensor<2xi32>
  return
}

// -----

func.func @weight(%x: !graph.tensor<2xf32>, %w: !graph.tensor<2xf64>) {
  // expected-error @+1 {{'graph.lerp' op expected dtype float for `weight` but got dtype double}}
  %0 = graph.lerp %x, %x, %w : !graph.tensor<2xf32>, !graph.tensor<2xf32>, !graph.tensor<2xf64>
  return
}

// -----

func.func @smallest_of_none(%x: !graph.tensor<2x0xf32>) {
  // expected-error @+1 {{aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.}}
  %0:2 = graph.aminmax %x : !graph.tensor<2x0xf32>
  return
}

// -----

func.func @smallest_along_none(%x: !graph.tensor<2x0xf32>) {
  // expected-error @+1 {{aminmax: Expected reduction dim 1 to have non-zero size.}}
  %0:2 = graph.aminmax %x {dim = 1} : !graph.tensor<2x0xf32>
  return
}

// -----

func.func @logarithm_of_complex_numbers(%x: !graph.tensor<2xcomplex<f32>>) {
  // expected-error @+1 {{is of complex numbers, which it is not compiled for: expects floats}}
  %0 = graph.logcumsumexp %x {dim = 0} : !graph.tensor<2xcomplex<f32>>
  return
}

// -----

func.func @logarithm_of_integers(%x: !graph.tensor<2xi64>) {
  // expected-error @+1 {{"logcumsumexp_out_cpu" not implemented for 'Long'}}
  %0 = graph.logcumsumexp %x {dim = 0} : !graph.tensor<2xi64>
  return
}
