// RUN: terrace-opt %s --graph-propagate-fake --split-input-file --verify-diagnostics

// https://github.com/pytorch/pytorch/issues/72650
// Operators in place on meta tensors took operands that broadcast to more than what is written, and changed its rank. That is eager's error.
func.func @power(%x: !graph.tensor<1xf32>, %y: !graph.tensor<2x1x2x1xf32>) {
  // expected-error @+1 {{output with shape [1] doesn't match the broadcast shape [2, 1, 2, 1]}}
  %0 = graph.pow_ %x, %y : !graph.tensor<1xf32>, !graph.tensor<2x1x2x1xf32>
  return
}

// -----

func.func @fill(%x: !graph.tensor<1xf32>, %m: !graph.tensor<2x1x2x1xi1>) {
  %c = arith.constant 1.0 : f64
  // expected-error @+1 {{output with shape [1] doesn't match the broadcast shape [2, 1, 2, 1]}}
  %0 = graph.masked_fill_ %x, %m, %c : !graph.tensor<1xf32>, !graph.tensor<2x1x2x1xi1>, f64
  return
}
