// What is passed on is what is stored. A function that is called with negatives of it is put in the place of its call.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2]}}, "args": [{"storage": "x", "sizes": [2, 1]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json --entry main > %t.compiled
// RUN: terrace-run %s --inputs %t.json --entry main --target=interpret | diff - %t.compiled
func.func private @same(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> {
  return %x : !graph.tensor<2xf32>
}
func.func @main(%x: !graph.tensor<?x?xf32>) -> !graph.tensor<2xf32> {
  %0 = graph._neg_view %x : !graph.tensor<?x?xf32>
  %1 = graph.view %0 size [2] : !graph.tensor<?x?xf32>
  %2 = func.call @same(%1) : (!graph.tensor<2xf32>) -> !graph.tensor<2xf32>
  return %2 : !graph.tensor<2xf32>
}
