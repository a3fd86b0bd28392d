// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

func.func @conjugate(%z: !graph.tensor<4xcomplex<f32>>) -> !graph.tensor<4x2xf32> {
  %c = graph._conj %z : !graph.tensor<4xcomplex<f32>>
  // expected-error @+1 {{view_as_real doesn't work on unresolved conjugated tensors.}}
  %r = graph.view_as_real %c : !graph.tensor<4xcomplex<f32>>
  return %r : !graph.tensor<4x2xf32>
}

// -----

func.func @flagged(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xi32> {
  %n = graph._neg_view %x : !graph.tensor<4xf32>
  // expected-error @+1 {{torch.Tensor.view is not supported for tensors with negative bit set when converting to a different dtype.}}
  %r = graph.view.dtype %n {dtype = i32} : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xi32>
}

// -----

func.func @strides(%x: !graph.tensor<4x2xf32> {graph.layout = strided<[3, 1], offset: 0>}) -> !graph.tensor<4xcomplex<f32>> {
  // expected-error @+1 {{Tensor must have a stride divisible by 2 for all but last dimension}}
  %z = graph.view_as_complex %x : !graph.tensor<4x2xf32>
  return %z : !graph.tensor<4xcomplex<f32>>
}

// -----

func.func @unknown(%x: !graph.tensor<4x2xf32> {graph.layout = "any"}) -> !graph.tensor<4xcomplex<f32>> {
  // expected-error @+1 {{sees elements as ones of another size, which depends on strides, which are not known here}}
  %z = graph.view_as_complex %x : !graph.tensor<4x2xf32>
  return %z : !graph.tensor<4xcomplex<f32>>
}

// -----

func.func @unresolved(%z: !graph.tensor<4xcomplex<f32>>) -> !graph.tensor<4xcomplex<f32>> {
  // expected-error @+1 {{is not known to graph-functionalize: no functional form of 'graph.conj_physical_'}}
  %c = graph.conj_physical_ %z : !graph.tensor<4xcomplex<f32>>
  return %c : !graph.tensor<4xcomplex<f32>>
}

// -----

func.func @"not-written-where-a-complex-number-of-it-is-read"(%x: !graph.tensor<4xf32>) {
  %0 = graph.view %x size [2, 2] : !graph.tensor<4xf32>
  %z = graph.view_as_complex %0 : !graph.tensor<2x2xf32>
  %part = graph.select %x index [1] : !graph.tensor<4xf32>
  %number = graph.select %z index [0] : !graph.tensor<2xcomplex<f32>>
  // expected-error @+1 {{some elements of the input tensor and the written-to tensor refer to a single memory location}}
  %1 = graph.copy_ %part, %number : !graph.tensor<f32>, !graph.tensor<complex<f32>>
  return
}
