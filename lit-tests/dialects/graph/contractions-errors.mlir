// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @matmul_inner(%a: !graph.tensor<2x3xf32>, %b: !graph.tensor<5x2x4xf32>) {
  // expected-error @+1 {{Expected size for first two dimensions of batch2 tensor to be: [5, 3] but got: [5, 2].}}
  %0 = graph.matmul %a, %b : !graph.tensor<2x3xf32>, !graph.tensor<5x2x4xf32>
  return
}

// -----

func.func @matmul_of_a_number(%a: !graph.tensor<f32>, %b: !graph.tensor<3xf32>) {
  // expected-error @+1 {{both arguments to matmul need to be at least 1D, but they are 0D and 1D}}
  %0 = graph.matmul %a, %b : !graph.tensor<f32>, !graph.tensor<3xf32>
  return
}

// -----

func.func @in_place_product_may_not_grow(%s: !graph.tensor<4xf32>, %a: !graph.tensor<2x3xf32>, %b: !graph.tensor<3x4xf32>) {
  // expected-error @+1 {{Bad in-place call: input tensor size [4] and output tensor size [2, 4] should match}}
  %0 = graph.addmm_ %s, %a, %b : !graph.tensor<4xf32>, !graph.tensor<2x3xf32>, !graph.tensor<3x4xf32>
  return
}

// -----

func.func @letter_without_operand(%a: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{einsum(): output subscript k does not appear in the equation for any input operand}}
  %0 = graph.einsum "ij->ik", %a : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @letter_of_two_sizes(%a: !graph.tensor<2x3xf32>, %b: !graph.tensor<4x5xf32>) {
  // expected-error @+1 {{einsum(): subscript j has size 4 for operand 1 which does not broadcast with previously seen size 3}}
  %0 = graph.einsum "ij,jk->ik", %a, %b : !graph.tensor<2x3xf32>, !graph.tensor<4x5xf32>
  return
}

// -----

func.func @too_many_letters(%a: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{einsum(): the number of subscripts in the equation (3) does not match the number of dimensions (2) for operand 0 and no ellipsis was given}}
  %0 = graph.einsum "ijk", %a : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @same_padding_with_strides(%x: !graph.tensor<3x5xf32>, %w: !graph.tensor<4x3x2xf32>) {
  // expected-error @+1 {{padding='same' is not supported for strided convolutions}}
  %0 = graph.conv1d.padding %x, %w {padding = "same", stride = array<i64: 2>} : !graph.tensor<3x5xf32>, !graph.tensor<4x3x2xf32>
  return
}

// -----

func.func @causal_and_a_mask(%q: !graph.tensor<3x4xf32>, %m: !graph.tensor<3x3xi1>) {
  // expected-error @+1 {{Explicit attn_mask should not be set when is_causal=True}}
  %0 = graph.scaled_dot_product_attention %q, %q, %q mask %m : !graph.tensor<3x3xi1> {is_causal = true}
    : !graph.tensor<3x4xf32>, !graph.tensor<3x4xf32>, !graph.tensor<3x4xf32>
  return
}

// -----

func.func @dropout(%q: !graph.tensor<3x4xf32>) {
  // expected-error @+1 {{expects a dropout_p of 0, got 0.5: attention has no random form here}}
  %0 = graph.scaled_dot_product_attention %q, %q, %q {dropout_p = 0.5}
    : !graph.tensor<3x4xf32>, !graph.tensor<3x4xf32>, !graph.tensor<3x4xf32>
  return
}
