// Where a view lies that is taken at an index of the run is known when the program runs: what is on it asks.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}}, "args": [{"storage": "x", "sizes": [3, 2]}, 1]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<3x2xf32> {graph.storage = "x", graph.layout = strided<[2, 1], offset: 0>}, %n: i64)
    -> (!graph.tensor<2xf32>, !graph.tensor<3x1xf32>, !graph.tensor<1xf32>) {
  %row = graph.select %x index [%n] {dim = 0 : i64} : !graph.tensor<3x2xf32>
  %new = graph.exp %row : !graph.tensor<2xf32>
  %column = graph.select %x index [%n] {dim = 1 : i64} : !graph.tensor<3x2xf32>
  %view = graph.view %column size [3, 1] : !graph.tensor<3xf32>
  %written = graph.neg_ %view : !graph.tensor<3x1xf32>
  %less = graph.resize_ %row size [1] : !graph.tensor<2xf32>
  return %new, %written, %less : !graph.tensor<2xf32>, !graph.tensor<3x1xf32>, !graph.tensor<1xf32>
}
