// RUN: terrace-opt %s --graph-propagate-fake --split-input-file --verify-diagnostics

// https://github.com/pytorch/pytorch/issues/119665
// A product of matrices on two devices was said to be a case that nobody had thought of. It is eager's error, and so is one with a tensor
// that has no elements anywhere (issue 139437).
func.func @product(%x: !graph.tensor<10x10xf32, "cuda:0">, %y: !graph.tensor<10x20xf32>) {
  // expected-error @+1 {{Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!}}
  %0 = graph.mm %x, %y : !graph.tensor<10x10xf32, "cuda:0">, !graph.tensor<10x20xf32>
  return
}

// -----

func.func @of_meta(%x: !graph.tensor<10x10xf32, "meta">, %y: !graph.tensor<10x20xf32>) {
  // expected-error @+1 {{Expected all tensors to be on the same device, but found at least two devices, meta and cpu!}}
  %0 = graph.mm %x, %y : !graph.tensor<10x10xf32, "meta">, !graph.tensor<10x20xf32>
  return
}
