// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @products(%x: !graph.tensor<2x2xf32, "cuda:0">, %y: !graph.tensor<2x2xf32, "cuda:1">) {
  // expected-error @+1 {{'graph.mm' op Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cuda:1!}}
  %0 = graph.mm %x, %y : !graph.tensor<2x2xf32, "cuda:0">, !graph.tensor<2x2xf32, "cuda:1">
  return
}

// -----

// Only pointwise operators take a tensor without dimensions from the CPU.
func.func @not_a_scalar_of_another_operator(%x: !graph.tensor<2xi64, "cuda:0">, %k: !graph.tensor<i64>) {
  // expected-error @+1 {{'graph.gcd' op Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!}}
  %0 = graph.gcd %x, %k : !graph.tensor<2xi64, "cuda:0">, !graph.tensor<i64>
  return
}

// -----

// What is written is no number.
func.func @not_a_scalar_that_is_written(%x: !graph.tensor<f32, "cuda:0">, %k: !graph.tensor<f32>) {
  // expected-error @+1 {{'graph.add_' op Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!}}
  %0 = graph.add_ %k, %x : !graph.tensor<f32>, !graph.tensor<f32, "cuda:0">
  return
}

// -----

func.func @not_a_scalar_of_another_accelerator(%x: !graph.tensor<2xf32, "cuda:0">, %k: !graph.tensor<f32, "cuda:1">) {
  // expected-error @+1 {{'graph.add' op Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cuda:1!}}
  %0 = graph.add %x, %k : !graph.tensor<2xf32, "cuda:0">, !graph.tensor<f32, "cuda:1">
  return
}

// -----

func.func @not_two_scalars(%x: !graph.tensor<2xf32, "cuda:0">, %k: !graph.tensor<f32>) {
  // expected-error @+1 {{'graph.lerp' op Trying to pass too many CPU scalars to non-CPU kernel!}}
  %0 = graph.lerp %x, %k, %k : !graph.tensor<2xf32, "cuda:0">, !graph.tensor<f32>, !graph.tensor<f32>
  return
}

// -----

func.func @not_indices_of_another_device(%x: !graph.tensor<4xf32>, %i: !graph.tensor<2xi64, "cuda:0">) {
  // expected-error @+1 {{'graph.index' op indices should be either on cpu or on the same device as the indexed tensor (cpu)}}
  %0 = graph.index %x[%i] {present = array<i1: true>} : !graph.tensor<4xf32>[!graph.tensor<2xi64, "cuda:0">]
  return
}

// -----

// The kernel for CUDA takes one dtype; that for the CPU takes f32 beside half precision.
func.func @not_two_dtypes(%x: !graph.tensor<2x4xbf16, "cuda:0">, %w: !graph.tensor<4xf32, "cuda:0">) {
  // expected-error @+1 {{'graph.native_layer_norm' op expected scalar type BFloat16 but found Float}}
  %0:3 = graph.native_layer_norm %x weight %w : !graph.tensor<4xf32, "cuda:0"> {normalized_shape = array<i64: 4>, eps = 1.0e-5 : f64}
      : !graph.tensor<2x4xbf16, "cuda:0">
  return
}

// -----

func.func @no_device() {
  // expected-error @+1 {{'graph.zeros' op Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: gpu}}
  %0 = graph.zeros [2] {dtype = f32, device = "gpu"}
  return
}

// -----

func.func @no_number(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.to' op Invalid device string: 'cuda:-1'}}
  %0 = graph.to %x {device = "cuda:-1"} : !graph.tensor<2xf32>
  return
}

// -----

// expected-error @+1 {{device 'cuda' is called 'cuda:0' in a type}}
func.func private @one_name(!graph.tensor<2xf32, "cuda">)

// -----

// expected-error @+1 {{a tensor on the CPU has no device in its type, got 'cpu'}}
func.func private @no_name(!graph.tensor<2xf32, "cpu">)
