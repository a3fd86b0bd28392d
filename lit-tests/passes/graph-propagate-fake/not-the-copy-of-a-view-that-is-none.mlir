// RUN: terrace-opt %s --graph-propagate-fake --split-input-file --verify-diagnostics

func.func @dtype(%x: !graph.tensor<3xf64> {graph.layout = strided<[2], offset: 3>}) {
  // expected-error @+1 {{self.stride(-1) must be 1 to view Double as Char (different element sizes), but got 2}}
  %0 = graph.view_copy.dtype %x {dtype = i8} : !graph.tensor<3xf64>
  return
}

// -----

func.func @complex(%x: !graph.tensor<3x2xf32> {graph.layout = strided<[4, 2], offset: 0>}) {
  // expected-error @+1 {{Tensor must have a last dimension with stride 1}}
  %0 = graph.view_as_complex_copy %x : !graph.tensor<3x2xf32>
  return
}
