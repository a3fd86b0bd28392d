// A mean and a deviation for each row, of sizes that types do not say: their one element is not taken for as many as a row has.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "f64", "data": [1.0, 2.5]}, "b": {"dtype": "f64", "data": [3.0, -1.0]}, "m": {"dtype": "f64", "data": [1.0]}, "r": {"dtype": "f64", "data": [0.5]}, "w": {"dtype": "f64", "data": [2.0, 3.0]}}, "args": [{"storage": "a", "sizes": [2]}, {"storage": "b", "sizes": [2]}, {"storage": "m", "sizes": [1]}, {"storage": "r", "sizes": [1]}, {"storage": "w", "sizes": [2]}, {"storage": "w", "sizes": [2]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: FileCheck %s < %t.compiled

// CHECK: "data": [0.0, 0.0]
func.func @main(%arg0: !graph.tensor<?xf64>, %arg1: !graph.tensor<?xf64>, %arg2: !graph.tensor<?xf64>, %arg3: !graph.tensor<?xf64>, %arg4: !graph.tensor<?xf64>, %arg5: !graph.tensor<?xf64>) -> (!graph.tensor<?xf64>, !graph.tensor<2xf64>, !graph.tensor<2xf64>) {
    %0:3 = graph.native_layer_norm_backward %arg0, %arg1 mean %arg2 rstd %arg3 weight %arg4 : !graph.tensor<?xf64> bias %arg5 : !graph.tensor<?xf64> {normalized_shape = array<i64: 2>, output_mask = array<i1: true, true, true>} : !graph.tensor<?xf64>, !graph.tensor<?xf64>, !graph.tensor<?xf64>, !graph.tensor<?xf64>
    return %0#0, %0#1, %0#2 : !graph.tensor<?xf64>, !graph.tensor<2xf64>, !graph.tensor<2xf64>
}
