// RUN: terrace-opt %s --graph-propagate-fake --split-input-file --verify-diagnostics

// https://github.com/pytorch/pytorch/issues/99414
// index_put_ on fake tensors took any values. They must broadcast to what the indices pick.
func.func @put(%x: !graph.tensor<3x2x4xf32>, %i: !graph.tensor<2xi64>, %v: !graph.tensor<4x2x4xf32>) {
  // expected-error @+1 {{shape mismatch: value tensor of shape [4, 2, 4] cannot be broadcast to indexing result of shape [2, 2, 4]}}
  %0 = graph.index_put_ %x[%i], %v {present = array<i1: true, false, false>}
      : !graph.tensor<3x2x4xf32>[!graph.tensor<2xi64>], !graph.tensor<4x2x4xf32>
  return
}
