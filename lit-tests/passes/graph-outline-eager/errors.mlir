// RUN: terrace-opt %s --graph-outline-eager --split-input-file --verify-diagnostics

// What values were made of takes what is stored.
func.func private @core(%x: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %0 = functional.sin %x : tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}
func.func private @callee(%x: !graph.tensor<3xcomplex<f32>> {graph.layout = "any"}) {
  %0 = graph.value %x : !graph.tensor<3xcomplex<f32>>
  %1 = func.call @core(%0) : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  graph.write_back %1 into %x : tensor<3xcomplex<f32>>, !graph.tensor<3xcomplex<f32>>
  return
}
func.func @"not-called-with-conjugates"(%x: !graph.tensor<3xcomplex<f32>>) attributes {graph.eager} {
  %0 = graph._conj %x : !graph.tensor<3xcomplex<f32>>
  // expected-error @+1 {{'func.call' op passes on a view of conjugates or negatives, in a function that runs as it is written: take resolve_conj or resolve_neg of it}}
  func.call @callee(%0) : (!graph.tensor<3xcomplex<f32>>) -> ()
  return
}

// -----

func.func @format(%x: !graph.tensor<1x3x4x4xf32> {graph.layout = "any"}) -> !graph.tensor<1x3x4x4xf32> attributes {graph.eager} {
  // expected-error @+1 {{'graph.contiguous' op preserve memory format is unsupported by the contiguous operator}}
  %0 = graph.contiguous %x {memory_format = "preserve_format"} : !graph.tensor<1x3x4x4xf32>
  return %0 : !graph.tensor<1x3x4x4xf32>
}

// -----

// Where it may fall back, the function is compiled when it is called.
func.func private @core(%x: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %0 = functional.sin %x : tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}
func.func private @callee(%x: !graph.tensor<3xcomplex<f32>> {graph.layout = "any"}) {
  %0 = graph.value %x : !graph.tensor<3xcomplex<f32>>
  %1 = func.call @core(%0) : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  graph.write_back %1 into %x : tensor<3xcomplex<f32>>, !graph.tensor<3xcomplex<f32>>
  return
}
// expected-warning @+1 {{is compiled when it is called, for the tensors that there are: 'func.call' op passes on a view of conjugates or negatives}}
func.func @falls_back(%x: !graph.tensor<3xcomplex<f32>>) attributes {graph.eager, graph.fallback} {
  %0 = graph._conj %x : !graph.tensor<3xcomplex<f32>>
  func.call @callee(%0) : (!graph.tensor<3xcomplex<f32>>) -> ()
  return
}
