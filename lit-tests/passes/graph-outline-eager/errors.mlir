// RUN: terrace-opt %s --graph-outline-eager --split-input-file --verify-diagnostics

func.func @conjugates(%x: !graph.tensor<3xcomplex<f32>>) -> !graph.tensor<3xcomplex<f32>> attributes {graph.eager} {
  %0 = graph._conj %x : !graph.tensor<3xcomplex<f32>>
  // expected-error @+1 {{'graph.sin' op is on conjugates or negatives of what is stored, in a function that runs as it is written: that is interpreted only; take resolve_conj or resolve_neg of it}}
  %1 = graph.sin %0 : !graph.tensor<3xcomplex<f32>>
  return %1 : !graph.tensor<3xcomplex<f32>>
}

// -----

func.func @format(%x: !graph.tensor<1x3x4x4xf32> {graph.layout = "any"}) -> !graph.tensor<1x3x4x4xf32> attributes {graph.eager} {
  // expected-error @+1 {{'graph.contiguous' op is the operand or a copy by strides that are not known here: that is interpreted only, for another memory format than contiguous_format}}
  %0 = graph.contiguous %x {memory_format = "channels_last"} : !graph.tensor<1x3x4x4xf32>
  return %0 : !graph.tensor<1x3x4x4xf32>
}
