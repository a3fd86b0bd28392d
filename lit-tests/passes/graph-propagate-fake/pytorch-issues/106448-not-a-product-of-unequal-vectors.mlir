// RUN: terrace-opt %s --graph-propagate-fake --split-input-file --verify-diagnostics

// https://github.com/pytorch/pytorch/issues/106448
// The product of two meta vectors was a number whatever their sizes. They are equal, or it is an error.
func.func @product(%x: !graph.tensor<3xf32>, %y: !graph.tensor<5xf32>) {
  // expected-error @+1 {{inconsistent tensor size, expected tensor [3] and src [5] to have the same number of elements, but got 3 and 5 elements respectively}}
  %0 = graph.matmul %x, %y : !graph.tensor<3xf32>, !graph.tensor<5xf32>
  return
}
