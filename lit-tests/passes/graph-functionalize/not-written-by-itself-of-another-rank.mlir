// Eager compares strides, which one element of other dimensions has others of: also where they are not known.
// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

func.func @one(%x: !graph.tensor<1xf32> {graph.layout = "any"}) {
  %v = graph.view %x size [1, 1] : !graph.tensor<1xf32>
  // expected-error @+1 {{some elements of the input tensor and the written-to tensor refer to a single memory location}}
  %0 = graph.mul_ %v, %x : !graph.tensor<1x1xf32>, !graph.tensor<1xf32>
  return
}

// -----

// Of one rank it is itself.
func.func @same(%x: !graph.tensor<1xf32> {graph.layout = "any"}) {
  %v = graph.view %x size [1] : !graph.tensor<1xf32>
  %0 = graph.mul_ %v, %x : !graph.tensor<1xf32>, !graph.tensor<1xf32>
  return
}

// -----

// Several elements may have gaps, of which eager does not say so.
func.func @several(%x: !graph.tensor<4xf32> {graph.layout = "any"}) {
  %v = graph.unsqueeze %x {dim = 0 : i64} : !graph.tensor<4xf32>
  %0 = graph.mul_ %v, %x : !graph.tensor<1x4xf32>, !graph.tensor<4xf32>
  return
}
