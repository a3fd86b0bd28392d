// What is selected has the sizes that both tensors have, where these are known when the function is called only.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "sizes": [2, 2], "strides": [1, 2]}, false]}' > %t.json
// RUN: terrace-run %s --inputs %t.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<?x?xf32> {graph.layout = "any"}, %n: i1) -> (!graph.tensor<?xf32>, !graph.tensor<?x?xf32>) {
  %0 = graph.exp %x : !graph.tensor<?x?xf32>
  %1 = arith.select %n, %0, %x : !graph.tensor<?x?xf32>
  %2 = graph._neg_view %x : !graph.tensor<?x?xf32>
  %3 = graph.reshape %2 shape [-1] : !graph.tensor<?x?xf32>
  return %3, %1 : !graph.tensor<?xf32>, !graph.tensor<?x?xf32>
}
