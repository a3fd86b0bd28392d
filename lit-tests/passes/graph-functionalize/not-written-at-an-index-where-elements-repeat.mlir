// What is written at an index of the run is written back with the elements at the others: not where these share its memory.
// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

func.func @repeats(%x: !graph.tensor<2xf32> {graph.layout = strided<[0], offset: 0>}, %n: i64) {
  %0 = graph.select %x index [%n] {dim = 0 : i64} : !graph.tensor<2xf32>
  // expected-error @+1 {{writes one of elements that share memory, at an index that is known at run time only}}
  %1 = graph.neg_ %0 : !graph.tensor<f32>
  return
}

// -----

func.func @apart(%x: !graph.tensor<2xf32> {graph.layout = strided<[2], offset: 0>}, %n: i64) {
  %0 = graph.select %x index [%n] {dim = 0 : i64} : !graph.tensor<2xf32>
  %1 = graph.neg_ %0 : !graph.tensor<f32>
  return
}

// -----

// Reading is another thing.
func.func @read(%x: !graph.tensor<2xf32> {graph.layout = strided<[0], offset: 0>}, %n: i64) -> !graph.tensor<f32> {
  %0 = graph.select %x index [%n] {dim = 0 : i64} : !graph.tensor<2xf32>
  %1 = graph.neg %0 : !graph.tensor<f32>
  return %1 : !graph.tensor<f32>
}
