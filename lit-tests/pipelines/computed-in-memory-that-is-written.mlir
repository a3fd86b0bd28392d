// A value is computed in the memory of an argument that another one is written to, which was computed before: the first goes where it
// goes before the other is written.
// REQUIRES: x86
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": [5, 6, 7, 8]}, "m": {"dtype": "bool", "data": [true, false, true, false]}}, "args": [{"storage": "s", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0}, {"storage": "m", "dtype": "bool", "sizes": [4], "strides": [1], "offset": 0}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json | FileCheck %s
// RUN: terrace-run %s --inputs %t.json --target=interpret | FileCheck %s
// CHECK: "s": {"dtype": "f32", "data": [1.0, 0.0, 1.0, 0.0]}
// CHECK: "data": [5.0, 0.0, 7.0, 0.0]
func.func @main(%x: !graph.tensor<4xf32> {graph.storage = "x"}, %m: !graph.tensor<4xi1> {graph.storage = "m"}) -> !graph.tensor<4xf32> {
  %0 = graph.where %m, %x, %m : !graph.tensor<4xi1>, !graph.tensor<4xf32>, !graph.tensor<4xi1>
  %1 = graph.copy_ %x, %m : !graph.tensor<4xf32>, !graph.tensor<4xi1>
  return %0 : !graph.tensor<4xf32>
}
