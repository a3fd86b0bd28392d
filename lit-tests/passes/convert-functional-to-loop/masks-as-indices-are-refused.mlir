// A mask stands for the indices of its true elements, whose number only the run knows. Where other indices make the shape of
// the result static, the mask must not be taken for a tensor of indices 0 and 1.
// RUN: terrace-opt %s --convert-functional-to-loop -verify-diagnostics

func.func @f(%x: tensor<3x2xf32>, %i: tensor<4xi64>, %m: tensor<2xi1>) -> tensor<4xf32> {
  // expected-error @+1 {{indexes by a mask}}
  %0 = functional.index %x[%i, %m] {present = array<i1: true, true>} : tensor<3x2xf32>[tensor<4xi64>, tensor<2xi1>]
  return %0 : tensor<4xf32>
}
