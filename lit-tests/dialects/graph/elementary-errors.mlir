// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @shift(%x: !graph.tensor<4xf32>, %i: !graph.tensor<4xi64>) {
  // expected-error @+1 {{'graph.bitwise_left_shift' op "lshift_cpu" not implemented for 'Float'}}
  %0 = graph.bitwise_left_shift %x, %i : !graph.tensor<4xf32>, !graph.tensor<4xi64>
  return
}

// -----

func.func @normal_distribution(%x: !graph.tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'graph.special_ndtr' op "erf_vml_cpu" not implemented for 'ComplexFloat'}}
  %0 = graph.special_ndtr %x : !graph.tensor<4xcomplex<f32>>
  return
}

// -----

func.func @step(%x: !graph.tensor<4xf32>, %i: !graph.tensor<4xi64>) {
  // expected-error @+1 {{'graph.heaviside' op heaviside is not yet implemented for tensors with different dtypes.}}
  %0 = graph.heaviside %x, %i : !graph.tensor<4xf32>, !graph.tensor<4xi64>
  return
}

// -----

func.func @powers(%x: !graph.tensor<4xf32>, %k: f64) {
  // expected-error @+1 {{'graph.float_power_' op the base given to float_power_ has dtype Float but the operation's result requires dtype Double}}
  %0 = graph.float_power_ %x, %k : !graph.tensor<4xf32>, f64
  return
}

// -----

func.func @no_exponent(%x: !graph.tensor<4xf32>) {
  %zero = arith.constant 0.0 : f64
  // expected-error @+1 {{'graph.celu' op ZeroDivisionError: alpha cannot be 0 for CELU}}
  %0 = graph.celu %x alpha %zero : f64 : !graph.tensor<4xf32>
  return
}

// -----

func.func @shrink(%x: !graph.tensor<4xf16>) {
  %k = arith.constant 1.0e6 : f64
  // expected-error @+1 {{'graph.softshrink' op lambda must be in range [0, 65504] for input dtype Half, but found 1e+06}}
  %0 = graph.softshrink %x lambd %k : f64 : !graph.tensor<4xf16>
  return
}

// -----

func.func @weights(%x: !graph.tensor<2x3xf32>, %w: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.prelu' op Mismatch of parameter numbers and input channel size. Found parameter numbers = 2 and channel size = 3.}}
  %0 = graph.prelu %x, %w : !graph.tensor<2x3xf32>, !graph.tensor<2xf32>
  return
}

// -----

func.func @halves(%x: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{'graph.glu' op Halving dimension must be even, but dimension 1 is size 3}}
  %0 = graph.glu %x : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @truth(%x: !graph.tensor<2xi1>) {
  // expected-error @+1 {{'graph.positive' op The `+` operator, on a bool tensor is not supported.}}
  %0 = graph.positive %x : !graph.tensor<2xi1>
  return
}

// -----

func.func @no_cube(%x: !graph.tensor<2x2x3xf32>, %k: f64) {
  // expected-error @+1 {{'graph.fill_diagonal_' op all dimensions of input must be of equal length, got [2, 2, 3]}}
  %0 = graph.fill_diagonal_ %x, %k : !graph.tensor<2x2x3xf32>, f64
  return
}

// -----

func.func @too_few(%x: !graph.tensor<4xf32>, %i: !graph.tensor<2xi64>) {
  // expected-error @+1 {{'graph.put' op put_(): Expected source and index to have the same number of elements, but got source.numel() = 4, index.numel() = 2}}
  %0 = graph.put %x, %i, %x : !graph.tensor<4xf32>, !graph.tensor<2xi64>, !graph.tensor<4xf32>
  return
}

// -----

func.func @of_nothing(%x: !graph.tensor<0xf32>, %i: !graph.tensor<2xi64>) {
  // expected-error @+1 {{'graph.take' op take(): tried to take from an empty tensor}}
  %0 = graph.take %x, %i : !graph.tensor<0xf32>, !graph.tensor<2xi64>
  return
}

// -----

func.func @sources(%x: !graph.tensor<4xf32>, %m: !graph.tensor<4xi1>, %s: !graph.tensor<4xi64>) {
  // expected-error @+1 {{'graph.masked_scatter' op masked_scatter: expected self and source to have same dtypes but gotFloat and Long}}
  %0 = graph.masked_scatter %x, %m, %s : !graph.tensor<4xf32>, !graph.tensor<4xi1>, !graph.tensor<4xi64>
  return
}

// -----

func.func @reduce(%x: !graph.tensor<4xf32>, %i: !graph.tensor<4xi64>) {
  // expected-error @+1 {{'graph.scatter.reduce' op reduce argument must be either add or multiply.}}
  %0 = graph.scatter.reduce %x, %i, %x {dim = 0, reduce = "sum"} : !graph.tensor<4xf32>, !graph.tensor<4xi64>, !graph.tensor<4xf32>
  return
}
