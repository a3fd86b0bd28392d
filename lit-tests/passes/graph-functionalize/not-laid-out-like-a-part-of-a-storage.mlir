// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

// Why: eager copies the whole storage where a part is replaced of a tensor that is a part of it, and whether it is one strides say that are not known.
func.func @selected(%x: !graph.tensor<4xf32> {graph.layout = "any"}, %y: !graph.tensor<f32>) -> !graph.tensor<4xf32> {
  // expected-error @+1 {{is returned with strides that eager derives from those of an argument, which are not known here}}
  %0 = graph.select_scatter %x, %y index [1] {dim = 0 : i64} : !graph.tensor<4xf32>, !graph.tensor<f32>
  return %0 : !graph.tensor<4xf32>
}
