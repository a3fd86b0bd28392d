// RUN: terrace-opt %s --graph-propagate-fake --split-input-file --verify-diagnostics

// https://github.com/pytorch/pytorch/issues/144748
// Fake tensors took a tensor without dimensions from the CPU in each operator. Of eager's kernels for CUDA nextafter and others take none.
func.func @next(%x: !graph.tensor<2xf32, "cuda:0">, %y: !graph.tensor<f32>) {
  // expected-error @+1 {{Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!}}
  %0 = graph.nextafter %x, %y : !graph.tensor<2xf32, "cuda:0">, !graph.tensor<f32>
  return
}

// -----

func.func @clamped(%x: !graph.tensor<2xf32, "cuda:0">, %y: !graph.tensor<f32>) {
  // expected-error @+1 {{Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!}}
  %0 = graph.clamp_min %x, %y : !graph.tensor<2xf32, "cuda:0">, !graph.tensor<f32>
  return
}
