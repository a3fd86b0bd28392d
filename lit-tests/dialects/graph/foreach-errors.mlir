// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @empty(%k: f64) {
  // expected-error @+2 {{'graph._foreach_add_.Scalar' op Tensor list must have at least one tensor.}}
  // expected-error @+1 {{'graph._foreach_add_.Scalar' op failed to infer returned types}}
  "graph._foreach_add_.Scalar"(%k) : (f64) -> ()
  return
}

// -----

func.func @lengths(%a: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph._foreach_mul.List' op Tensor lists must have the same number of tensors, got 2 and 1}}
  %0:2 = graph._foreach_mul.List [%a, %a], [%a] : [!graph.tensor<2xf32>, !graph.tensor<2xf32>], [!graph.tensor<2xf32>]
  return
}

// -----

func.func @numbers(%a: !graph.tensor<2xf32>, %k: f64) {
  // expected-error @+1 {{'graph._foreach_div.ScalarList' op Tensor list must have same number of elements as scalar list.}}
  %0 = graph._foreach_div.ScalarList [%a], [%k, %k] : [!graph.tensor<2xf32>], [f64, f64]
  return
}

// -----

func.func @shared(%a: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph._foreach_mul.Tensor' op scalar tensor expected to be 0 dim but it has 1 dimensions and 2 elements.}}
  %0 = graph._foreach_mul.Tensor [%a], %a : [!graph.tensor<2xf32>], !graph.tensor<2xf32>
  return
}

// -----

// What the operator on one tensor refuses.
func.func @single(%a: !graph.tensor<2xi64>) {
  // expected-error @+2 {{'graph._foreach_sqrt_' op result type Float can't be cast to the desired output type Long}}
  // expected-error @+1 {{'graph._foreach_sqrt_' op failed to infer returned types}}
  graph._foreach_sqrt_ [%a] : [!graph.tensor<2xi64>]
  return
}

// -----

func.func @both_empty_or_neither(%a: !graph.tensor<2xf32>) {
  // expected-error @+2 {{'graph._foreach_copy_' op Tensor list must have at least one tensor.}}
  // expected-error @+1 {{'graph._foreach_copy_' op failed to infer returned types}}
  "graph._foreach_copy_"(%a) <{operandSegmentSizes = array<i32: 1, 0>}> : (!graph.tensor<2xf32>) -> ()
  return
}

// -----

func.func @a_vector_of_numbers(%a: !graph.tensor<2xf32>, %k: !graph.tensor<f32>) {
  // expected-error @+1 {{'graph._foreach_addcmul.Tensor' op Expected packed scalar Tensor to be of dimension 1. Got 0 instead.}}
  %0 = graph._foreach_addcmul.Tensor [%a], [%a], [%a], %k : [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], !graph.tensor<f32>
  return
}

// -----

func.func @a_number_for_each(%a: !graph.tensor<2xf32>, %k: !graph.tensor<3xf32>) {
  // expected-error @+2 {{'graph._foreach_addcdiv_.Tensor' op Expected length of scalars to match input of length 1 but got 3 instead.}}
  // expected-error @+1 {{'graph._foreach_addcdiv_.Tensor' op failed to infer returned types}}
  graph._foreach_addcdiv_.Tensor [%a], [%a], [%a], %k : [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], !graph.tensor<3xf32>
  return
}

// -----

func.func @a_norm_of_an_order(%a: !graph.tensor<2xf32>, %k: i1) {
  // expected-error @+1 {{'graph._foreach_norm.Scalar' op foreach_tensor_norm_slow expects ord to be integer or float}}
  %0 = graph._foreach_norm.Scalar [%a] ord %k : i1 : [!graph.tensor<2xf32>]
  return
}
