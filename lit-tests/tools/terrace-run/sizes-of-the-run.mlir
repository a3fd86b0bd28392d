// Compiled code takes sizes that it does not know, and comes to what the interpreter comes to.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12]}, "y": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "dtype": "f32", "sizes": [3, 4], "strides": [4, 1], "offset": 0}, {"storage": "y", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0}]}' > %t.json
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, -2, 3, -4, 5, -6, 7, -8, 9, -10]}, "y": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "dtype": "f32", "sizes": [5, 2], "strides": [2, 1], "offset": 0}, {"storage": "y", "dtype": "f32", "sizes": [2], "strides": [2], "offset": 1}]}' > %t.other.json
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3]}, "y": {"dtype": "f32", "data": [5]}}, "args": [{"storage": "x", "dtype": "f32", "sizes": [3, 1], "strides": [1, 1], "offset": 0}, {"storage": "y", "dtype": "f32", "sizes": [1], "strides": [1], "offset": 0}]}' > %t.unusual.json
// RUN: terrace-run %s --entry=scale --inputs %t.json > %t.out
// RUN: terrace-run %s --entry=scale --inputs %t.json --target=interpret | diff - %t.out
// RUN: terrace-run %s --entry=scale --inputs %t.other.json > %t.out
// RUN: terrace-run %s --entry=scale --inputs %t.other.json --target=interpret | diff - %t.out
// RUN: terrace-run %s --entry=scale --inputs %t.json --cpu=x86-64 > %t.out
// RUN: terrace-run %s --entry=scale --inputs %t.json --target=interpret | diff - %t.out
// RUN: terrace-run %s --entry=scale --inputs %t.unusual.json > %t.out
// RUN: terrace-run %s --entry=scale --inputs %t.unusual.json --target=interpret | diff - %t.out

func.func @scale(%x: !graph.tensor<?x?xf32> {graph.storage = "x"}, %y: !graph.tensor<?xf32> {graph.storage = "y", graph.layout = "any"}) -> (!graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?xf32>) {
  %0 = graph.add_ %x, %y : !graph.tensor<?x?xf32>, !graph.tensor<?xf32>
  %1 = graph.relu %0 : !graph.tensor<?x?xf32>
  %2 = graph.t %1 : !graph.tensor<?x?xf32>
  %3 = graph.mm %1, %2 : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>
  %4 = graph.sum %3 {dim = array<i64: 0>} : !graph.tensor<?x?xf32>
  return %2, %3, %4 : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?xf32>
}
