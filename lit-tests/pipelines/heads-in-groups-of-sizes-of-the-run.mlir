// Each head of keys and values goes with as many heads of the query as the run says: the same values compiled and interpreted, where
// all weights are one over the number of keys.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f64", "data": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]}, "s1": {"dtype": "f64", "data": [-0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0]}, "s2": {"dtype": "f64", "data": [1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0]}}, "args": [{"storage": "s0", "dtype": "f64", "sizes": [1, 6, 1, 2], "strides": [12, 2, 2, 1], "offset": 0}, {"storage": "s1", "dtype": "f64", "sizes": [1, 2, 2, 2], "strides": [8, 4, 2, 1], "offset": 0}, {"storage": "s2", "dtype": "f64", "sizes": [1, 2, 2, 2], "strides": [8, 4, 2, 1], "offset": 0}]}' > %t.0.json
// RUN: terrace-run %s --inputs %t.0.json > %t.compiled
// RUN: terrace-run %s --inputs %t.0.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f64", "data": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]}, "s1": {"dtype": "f64", "data": [-0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5]}, "s2": {"dtype": "f64", "data": [1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5]}}, "args": [{"storage": "s0", "dtype": "f64", "sizes": [1, 2, 2, 2], "strides": [8, 4, 2, 1], "offset": 0}, {"storage": "s1", "dtype": "f64", "sizes": [1, 2, 4, 2], "strides": [16, 8, 2, 1], "offset": 0}, {"storage": "s2", "dtype": "f64", "sizes": [1, 2, 4, 2], "strides": [16, 8, 2, 1], "offset": 0}]}' > %t.1.json
// RUN: terrace-run %s --inputs %t.1.json > %t.compiled
// RUN: terrace-run %s --inputs %t.1.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f64", "data": []}, "s1": {"dtype": "f64", "data": []}, "s2": {"dtype": "f64", "data": []}}, "args": [{"storage": "s0", "dtype": "f64", "sizes": [0, 4, 1, 2], "strides": [8, 2, 2, 1], "offset": 0}, {"storage": "s1", "dtype": "f64", "sizes": [0, 2, 2, 2], "strides": [8, 4, 2, 1], "offset": 0}, {"storage": "s2", "dtype": "f64", "sizes": [0, 2, 2, 2], "strides": [8, 4, 2, 1], "offset": 0}]}' > %t.2.json
// RUN: terrace-run %s --inputs %t.2.json > %t.compiled
// RUN: terrace-run %s --inputs %t.2.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted

func.func @main(%q: !graph.tensor<?x?x?x?xf64>, %k: !graph.tensor<?x?x?x?xf64>, %v: !graph.tensor<?x?x?x?xf64>) -> !graph.tensor<?x?x?x?xf64> {
  %0 = graph.scaled_dot_product_attention %q, %k, %v {enable_gqa = true} : !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x?xf64>
  return %0 : !graph.tensor<?x?x?x?xf64>
}
