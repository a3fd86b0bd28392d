// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @draws
func.func @draws(%s: tensor<2xi64>, %p: tensor<2x3xf32>, %n: i64) {
  // CHECK: functional.random_uniform %{{.*}} size(%{{.*}}) {from = 0.000000e+00 : f64, to = 1.000000e+00 : f64} : tensor<2xi64> to tensor<?x3xf16>
  %0 = functional.random_uniform %s size(%n) {from = 0.0 : f64, to = 1.0 : f64} : tensor<2xi64> to tensor<?x3xf16>
  // CHECK: functional.random_normal %{{.*}} {mean = 1.000000e+00 : f64, std = 2.000000e+00 : f64} : tensor<2xi64> to tensor<4xf64>
  %1 = functional.random_normal %s {mean = 1.0 : f64, std = 2.0 : f64} : tensor<2xi64> to tensor<4xf64>
  // CHECK: functional.random_integers %{{.*}} {high = 9 : i64, low = -2 : i64} : tensor<2xi64> to tensor<4xi8>
  %2 = functional.random_integers %s {low = -2 : i64, high = 9 : i64} : tensor<2xi64> to tensor<4xi8>
  // CHECK: functional.randperm %{{.*}} : tensor<2xi64> to tensor<5xi64>
  %3 = functional.randperm %s : tensor<2xi64> to tensor<5xi64>
  // CHECK: functional.bernoulli %{{.*}}, %{{.*}} : tensor<2x3xf32>, tensor<2xi64>
  %4 = functional.bernoulli %p, %s : tensor<2x3xf32>, tensor<2xi64>
  // CHECK: functional.multinomial %{{.*}}, %{{.*}} {num_samples = 2 : i64} : tensor<2x3xf32>, tensor<2xi64>
  %5 = functional.multinomial %p, %s {num_samples = 2 : i64} : tensor<2x3xf32>, tensor<2xi64>
  // CHECK: functional.skip_draws %{{.*}} {count = 3 : i64} : tensor<2xi64>
  %6 = functional.skip_draws %s {count = 3 : i64} : tensor<2xi64>
  return
}
