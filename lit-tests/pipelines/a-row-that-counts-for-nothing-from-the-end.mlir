// A row that counts for nothing, by its number from the end of a table of as many rows as the run says: the same values compiled and
// interpreted, and the same rows named.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0]}, "s1": {"dtype": "i64", "data": [0, 4, 4, 3, 2, 1]}, "s2": {"dtype": "i64", "data": [0, 2, 2, 3]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [5, 2], "strides": [2, 1], "offset": 0}, {"storage": "s1", "dtype": "i64", "sizes": [6], "strides": [1], "offset": 0}, {"storage": "s2", "dtype": "i64", "sizes": [4], "strides": [1], "offset": 0}]}' > %t.0.json
// RUN: terrace-run %s --inputs %t.0.json > %t.compiled
// RUN: terrace-run %s --inputs %t.0.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0]}, "s1": {"dtype": "i64", "data": [0, 2, 2, 1, 2, 1]}, "s2": {"dtype": "i64", "data": [0, 2, 3]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [3, 2], "strides": [2, 1], "offset": 0}, {"storage": "s1", "dtype": "i64", "sizes": [6], "strides": [1], "offset": 0}, {"storage": "s2", "dtype": "i64", "sizes": [3], "strides": [1], "offset": 0}]}' > %t.1.json
// RUN: terrace-run %s --inputs %t.1.json > %t.compiled
// RUN: terrace-run %s --inputs %t.1.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted

func.func @main(%w: !graph.tensor<?x?xf32>, %i: !graph.tensor<?xi64>, %o: !graph.tensor<?xi64>) -> (!graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?xi64>, !graph.tensor<?x?xi64>) {
  %0:4 = graph.embedding_bag %w, %i, %o {mode = 1 : i64, padding_idx = -2 : i64} : !graph.tensor<?x?xf32>, !graph.tensor<?xi64>, !graph.tensor<?xi64>
  %1:4 = graph.embedding_bag %w, %i, %o {mode = 2 : i64, padding_idx = -1 : i64} : !graph.tensor<?x?xf32>, !graph.tensor<?xi64>, !graph.tensor<?xi64>
  return %0#0, %1#0, %1#2, %1#3 : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?xi64>, !graph.tensor<?x?xi64>
}
