// A stack of tensors is a view of them side by side: each dimension is a part of one that was, whatever sizes and strides are.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]}}, "args": [{"storage": "a", "sizes": [2, 4, 2], "strides": [1, 2, 8]}, {"storage": "a", "sizes": [2, 4, 2]}]}' > %t.json
// RUN: terrace-opt %s --terrace-to-loop -o /dev/null
// RUN: terrace-run %s --inputs %t.json 2>/dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: sed 's/2, 4, 2/1, 4, 0/g' %t.json > %t.none.json
// RUN: terrace-run %s --inputs %t.none.json 2>/dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.none.json --target=interpret | diff - %t.compiled
func.func @main(%a: !graph.tensor<?x?x?xf32> {graph.layout = "any"}, %b: !graph.tensor<?x?x?xf32> {graph.layout = "any"}) -> !graph.tensor<?x2x?x?xf32> {
  %0 = graph.stack %a, %b {dim = 1 : i64} : !graph.tensor<?x?x?xf32>, !graph.tensor<?x?x?xf32>
  return %0 : !graph.tensor<?x2x?x?xf32>
}
