// RUN: terrace-opt %s --convert-functional-to-loop --split-input-file --verify-diagnostics

// The first operation with complex numbers is named, and no other.
func.func @first(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.neg %x : tensor<4xf32>
  // expected-error @+1 {{has no form as loops yet for complex numbers: it can be interpreted, not compiled}}
  %1 = functional.complex %0, %y : tensor<4xf32>, tensor<4xf32>
  %2 = functional.exp %1 : tensor<4xcomplex<f32>>
  %3 = functional.abs %2 : tensor<4xcomplex<f32>>
  return %3 : tensor<4xf32>
}

// -----

func.func @moved(%z: tensor<4xcomplex<f32>>) -> tensor<2x2xcomplex<f32>> {
  // expected-error @+1 {{has no form as loops yet for complex numbers}}
  %0 = functional.view %z size [2, 2] : tensor<4xcomplex<f32>>
  return %0 : tensor<2x2xcomplex<f32>>
}

// -----

func.func @number(%k: complex<f64>) -> tensor<4xf32> {
  // expected-error @+1 {{has no form as loops yet for complex numbers}}
  %0 = functional.full %k : complex<f64> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @returned(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error @+1 {{has no form as loops yet for complex numbers}}
  return %z : tensor<4xcomplex<f32>>
}
