// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @"not-of-another-state"(%s: tensor<3xi64>) {
  // expected-error @+1 {{'functional.random_uniform' op expects the state of a generator, tensor<2xi64>, got tensor<3xi64>}}
  %0 = functional.random_uniform %s {from = 0.0 : f64, to = 1.0 : f64} : tensor<3xi64> to tensor<4xf32>
  return
}

// -----

func.func @"not-of-integers"(%s: tensor<2xi64>) {
  // expected-error @+1 {{'functional.random_normal' op draws no tensor<4xi32>}}
  %0 = functional.random_normal %s {mean = 0.0 : f64, std = 1.0 : f64} : tensor<2xi64> to tensor<4xi32>
  return
}

// -----

func.func @"not-from-above-to"(%s: tensor<2xi64>) {
  // expected-error @+1 {{expects 'from' to be at most 'to', got 1 and 0}}
  %0 = functional.random_uniform %s {from = 1.0 : f64, to = 0.0 : f64} : tensor<2xi64> to tensor<4xf32>
  return
}

// -----

func.func @"not-of-a-deviation-below-0"(%s: tensor<2xi64>) {
  // expected-error @+1 {{expects a standard deviation of 0 at least, got -1}}
  %0 = functional.random_normal %s {mean = 0.0 : f64, std = -1.0 : f64} : tensor<2xi64> to tensor<4xf32>
  return
}

// -----

func.func @"not-between-equal-bounds"(%s: tensor<2xi64>) {
  // expected-error @+1 {{expects 'low' below 'high', got 3 and 3}}
  %0 = functional.random_integers %s {low = 3 : i64, high = 3 : i64} : tensor<2xi64> to tensor<4xi64>
  return
}

// -----

func.func @"not-a-permutation-of-a-matrix"(%s: tensor<2xi64>) {
  // expected-error @+1 {{expects a one-dimensional result}}
  %0 = functional.randperm %s : tensor<2xi64> to tensor<2x2xi64>
  return
}

// -----

func.func @"not-without-its-sizes"(%s: tensor<2xi64>) {
  // expected-error @+1 {{has 1 dynamic sizes in [?] but 0 operands for them}}
  %0 = functional.randperm %s : tensor<2xi64> to tensor<?xi64>
  return
}

// -----

func.func @"not-trials-without-a-state"(%p: tensor<4xf32>) {
  // expected-error @+1 {{expects the state of a generator, tensor<2xi64>, got tensor<4xf32>}}
  %0 = functional.bernoulli %p, %p : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @"not-samples-without-a-state"(%p: tensor<4xf32>) {
  // expected-error @+1 {{expects the state of a generator, tensor<2xi64>, got tensor<4xf32>}}
  %0 = functional.multinomial %p, %p {num_samples = 1 : i64} : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @"not-back"(%s: tensor<2xi64>) {
  // expected-error @+1 {{skips -1 operations: 0 is the least}}
  %0 = functional.skip_draws %s {count = -1 : i64} : tensor<2xi64>
  return
}
