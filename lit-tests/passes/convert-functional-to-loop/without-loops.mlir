// RUN: terrace-opt %s --convert-functional-to-loop --verify-diagnostics

func.func @scatter(%x: tensor<4xf32>, %i: tensor<2xi64>, %s: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has no form as loops yet: it can be interpreted, not compiled}}
  %0 = functional.scatter_add %x, %i, %s {dim = 0 : i64} : tensor<4xf32>, tensor<2xi64>, tensor<2xf32>
  return %0 : tensor<4xf32>
}
