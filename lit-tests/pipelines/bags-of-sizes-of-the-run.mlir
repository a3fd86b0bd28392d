// Bags of rows, tables, indices and bags as many as the run says, none among them, and the gradients of tables: the same values
// compiled and interpreted; what is no bag is refused in eager's words.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0]}, "s1": {"dtype": "i64", "data": [0, 1, 4, 2, 2, 1]}, "s2": {"dtype": "i64", "data": [0, 2, 2, 3]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [5, 2], "strides": [2, 1], "offset": 0}, {"storage": "s1", "dtype": "i64", "sizes": [6], "strides": [1], "offset": 0}, {"storage": "s2", "dtype": "i64", "sizes": [4], "strides": [1], "offset": 0}]}' > %t.0.json
// RUN: terrace-run %s --inputs %t.0.json > %t.compiled
// RUN: terrace-run %s --inputs %t.0.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0]}, "s1": {"dtype": "i64", "data": [0, 2, 4, 2]}, "s2": {"dtype": "i64", "data": [0]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [5, 3], "strides": [3, 1], "offset": 0}, {"storage": "s1", "dtype": "i64", "sizes": [4], "strides": [1], "offset": 0}, {"storage": "s2", "dtype": "i64", "sizes": [1], "strides": [1], "offset": 0}]}' > %t.1.json
// RUN: terrace-run %s --inputs %t.1.json > %t.compiled
// RUN: terrace-run %s --inputs %t.1.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0]}, "s1": {"dtype": "i64", "data": []}, "s2": {"dtype": "i64", "data": [0, 0, 0]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [5, 2], "strides": [2, 1], "offset": 0}, {"storage": "s1", "dtype": "i64", "sizes": [0], "strides": [1], "offset": 0}, {"storage": "s2", "dtype": "i64", "sizes": [3], "strides": [1], "offset": 0}]}' > %t.2.json
// RUN: terrace-run %s --inputs %t.2.json > %t.compiled
// RUN: terrace-run %s --inputs %t.2.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0]}, "s1": {"dtype": "i64", "data": [0, 7]}, "s2": {"dtype": "i64", "data": [0]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [5, 2], "strides": [2, 1], "offset": 0}, {"storage": "s1", "dtype": "i64", "sizes": [2], "strides": [1], "offset": 0}, {"storage": "s2", "dtype": "i64", "sizes": [1], "strides": [1], "offset": 0}]}' > %t.3.json
// RUN: not terrace-run %s --inputs %t.3.json 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0]}, "s1": {"dtype": "i64", "data": [0, 1]}, "s2": {"dtype": "i64", "data": [0, 5]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [5, 2], "strides": [2, 1], "offset": 0}, {"storage": "s1", "dtype": "i64", "sizes": [2], "strides": [1], "offset": 0}, {"storage": "s2", "dtype": "i64", "sizes": [2], "strides": [1], "offset": 0}]}' > %t.4.json
// RUN: not terrace-run %s --inputs %t.4.json 2>&1 | FileCheck %s --check-prefix=END
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0]}, "s1": {"dtype": "i64", "data": [0, 1]}, "s2": {"dtype": "i64", "data": [1, 2]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [5, 2], "strides": [2, 1], "offset": 0}, {"storage": "s1", "dtype": "i64", "sizes": [2], "strides": [1], "offset": 0}, {"storage": "s2", "dtype": "i64", "sizes": [2], "strides": [1], "offset": 0}]}' > %t.5.json
// RUN: not terrace-run %s --inputs %t.5.json 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": []}, "s1": {"dtype": "i64", "data": [0, 1]}, "s2": {"dtype": "i64", "data": [0]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [0, 2], "strides": [2, 1], "offset": 0}, {"storage": "s1", "dtype": "i64", "sizes": [2], "strides": [1], "offset": 0}, {"storage": "s2", "dtype": "i64", "sizes": [1], "strides": [1], "offset": 0}]}' > %t.6.json
// RUN: not terrace-run %s --inputs %t.6.json 2>&1 | FileCheck %s --check-prefix=ROW

// ROW: embedding_bag: Expected idx >= 0 && idx < num_embeddings
// END: offsets[-1] can not be greater than input's length({{.*}})
// FIRST: offsets[0] has to be 0
func.func @main(%w: !graph.tensor<?x?xf32>, %i: !graph.tensor<?xi64>, %o: !graph.tensor<?xi64>)
    -> (!graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?xi64>, !graph.tensor<?x?xf32>, !graph.tensor<?x?xi64>, !graph.tensor<5x?xf32>, !graph.tensor<5x?xf32>) {
  %0:4 = graph._embedding_bag %w, %i, %o : !graph.tensor<?x?xf32>, !graph.tensor<?xi64>, !graph.tensor<?xi64>
  %1:4 = graph._embedding_bag %w, %i, %o {mode = 1 : i64, padding_idx = 1 : i64} : !graph.tensor<?x?xf32>, !graph.tensor<?xi64>, !graph.tensor<?xi64>
  %2:4 = graph._embedding_bag %w, %i, %o {mode = 2 : i64} : !graph.tensor<?x?xf32>, !graph.tensor<?xi64>, !graph.tensor<?xi64>
  %3 = graph._embedding_bag_dense_backward %1#0, %i, %1#1, %1#2, %1#3 {num_weights = 5 : i64, scale_grad_by_freq = true, mode = 0 : i64, padding_idx = 1 : i64}
      : !graph.tensor<?x?xf32>, !graph.tensor<?xi64>, !graph.tensor<?xi64>, !graph.tensor<?xi64>, !graph.tensor<?xi64>
  %4 = graph._embedding_bag_dense_backward %2#0, %i, %2#1, %2#2, %2#3 {num_weights = 5 : i64, scale_grad_by_freq = false, mode = 2 : i64}
      : !graph.tensor<?x?xf32>, !graph.tensor<?xi64>, !graph.tensor<?xi64>, !graph.tensor<?xi64>, !graph.tensor<?x?xi64>
  return %0#0, %1#0, %1#2, %2#0, %2#3, %3, %4 : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?xi64>, !graph.tensor<?x?xf32>, !graph.tensor<?x?xi64>, !graph.tensor<5x?xf32>, !graph.tensor<5x?xf32>
}
