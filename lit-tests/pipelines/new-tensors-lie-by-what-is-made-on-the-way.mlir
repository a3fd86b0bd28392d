// Eager lays out what an index gives by comparing strides, here of tensors that the program makes: in ways that were foreseen and others.
// REQUIRES: x86
// RUN: split-file %s %t
// RUN: terrace-run %t/program.mlir --inputs %t/rows.json > %t/compiled && FileCheck %s --check-prefix=ROWS < %t/compiled
// RUN: terrace-run %t/program.mlir --inputs %t/rows.json --target=interpret | diff - %t/compiled
// RUN: terrace-run %t/program.mlir --inputs %t/swapped.json > %t/compiled && FileCheck %s --check-prefix=SWAPPED < %t/compiled
// RUN: terrace-run %t/program.mlir --inputs %t/swapped.json --target=interpret | diff - %t/compiled
// RUN: terrace-run %t/program.mlir --inputs %t/repeated.json > %t/compiled && FileCheck %s --check-prefix=ROWS < %t/compiled
// RUN: terrace-run %t/program.mlir --inputs %t/repeated.json --target=interpret | diff - %t/compiled
// ROWS: "sizes": [2, 4, 2], "strides": [8, 2, 1]
// SWAPPED: "sizes": [2, 4, 2], "strides": [8, 1, 4]
//--- program.mlir
func.func @main(%x: !graph.tensor<3x4x2xf32> {graph.layout = "any"}, %i: !graph.tensor<2xi64>) -> !graph.tensor<2x4x2xf32> {
  %0 = graph.neg %x : !graph.tensor<3x4x2xf32>
  %1 = graph.index %0[%i] {present = array<i1: true>} : !graph.tensor<3x4x2xf32>[!graph.tensor<2xi64>]
  %2 = graph.index %1[%i] {present = array<i1: true>} : !graph.tensor<2x4x2xf32>[!graph.tensor<2xi64>]
  return %2 : !graph.tensor<2x4x2xf32>
}
//--- rows.json
{"storages": {"x": {"dtype": "f32", "data": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]}, "i": {"dtype": "i64", "data": [0, 1]}},
 "args": [{"storage": "x", "dtype": "f32", "sizes": [3, 4, 2], "strides": [8, 2, 1], "offset": 0}, {"storage": "i", "dtype": "i64", "sizes": [2], "strides": [1], "offset": 0}]}
//--- swapped.json
{"storages": {"x": {"dtype": "f32", "data": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]}, "i": {"dtype": "i64", "data": [0, 1]}},
 "args": [{"storage": "x", "dtype": "f32", "sizes": [3, 4, 2], "strides": [4, 1, 12], "offset": 0}, {"storage": "i", "dtype": "i64", "sizes": [2], "strides": [1], "offset": 0}]}
//--- repeated.json
{"storages": {"x": {"dtype": "f32", "data": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]}, "i": {"dtype": "i64", "data": [0, 1]}},
 "args": [{"storage": "x", "dtype": "f32", "sizes": [3, 4, 2], "strides": [0, 0, 0], "offset": 0}, {"storage": "i", "dtype": "i64", "sizes": [2], "strides": [1], "offset": 0}]}
