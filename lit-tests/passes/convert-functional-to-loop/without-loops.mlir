// RUN: terrace-opt %s --convert-functional-to-loop --verify-diagnostics

func.func @count(%x: tensor<0xi64>) -> tensor<4xi64> {
  // expected-error @+1 {{has no form as loops yet: it can be interpreted, not compiled}}
  %0 = functional.bincount %x {minlength = 4 : i64} : tensor<0xi64>
  return %0 : tensor<4xi64>
}
