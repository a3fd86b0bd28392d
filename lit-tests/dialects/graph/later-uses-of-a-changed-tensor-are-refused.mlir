// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @used(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<2x3xf32> {
  %0 = graph.t_ %x : !graph.tensor<2x3xf32>
  // expected-error @+1 {{'graph.neg' op uses a tensor whose sizes, strides or storage 'graph.t_' has changed: use its result}}
  %1 = graph.neg %x : !graph.tensor<2x3xf32>
  return %1 : !graph.tensor<2x3xf32>
}

// -----

// What an in-place operation gives is the same tensor.
func.func @same_tensor(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %1 = graph.resize_ %x size [2] : !graph.tensor<4xf32>
  // expected-error @+1 {{'func.return' op uses a tensor whose sizes, strides or storage 'graph.resize_' has changed: use its result}}
  return %0 : !graph.tensor<4xf32>
}

// -----

func.func @inside(%x: !graph.tensor<4xf32>, %c: i1) {
  %0 = graph.unsqueeze_ %x {dim = 0} : !graph.tensor<4xf32>
  scf.if %c {
    // expected-error @+1 {{'graph.zero_' op uses a tensor whose sizes, strides or storage 'graph.unsqueeze_' has changed: use its result}}
    %1 = graph.zero_ %x : !graph.tensor<4xf32>
  }
  return
}

// -----

// A view is another tensor, and uses before are none after.
func.func @legal(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<3xf32> {
  %0 = graph.select %x index [0] : !graph.tensor<2x3xf32>
  %1 = graph.t_ %x : !graph.tensor<2x3xf32>
  %2 = graph.neg %0 : !graph.tensor<3xf32>
  return %2 : !graph.tensor<3xf32>
}

// -----

// An operation on a list gives no tensor that would be used later.
func.func @a_list_before(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<3x2xf32> {
  graph._foreach_neg_ [%x] : [!graph.tensor<2x3xf32>]
  %0 = graph.t_ %x : !graph.tensor<2x3xf32>
  return %0 : !graph.tensor<3x2xf32>
}
