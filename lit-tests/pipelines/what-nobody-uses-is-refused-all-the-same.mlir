// An operation whose result nobody uses is refused where the interpreter refuses it, and computed where it does not: by sizes that elements decide
// behind one that the program computes.
// REQUIRES: x86
// RUN: split-file %s %t
// RUN: not terrace-run %t/program.mlir --inputs %t/one.json 2>&1 | FileCheck %s
// RUN: not terrace-run %t/program.mlir --inputs %t/one.json --target=interpret 2>&1 | FileCheck %s
// RUN: terrace-run %t/program.mlir --inputs %t/none.json > %t/compiled
// RUN: terrace-run %t/program.mlir --inputs %t/none.json --target=interpret | diff - %t/compiled
// CHECK: 'graph.linear' op mm: mat1 and mat2 shapes cannot be multiplied (1x1 and 0x1)
//--- program.mlir
func.func @main(%x: !graph.tensor<4xf32>, %m: !graph.tensor<?xi1>, %w: !graph.tensor<?x?xf32>) -> !graph.tensor<?xf32> {
  %one = arith.constant 1 : i64
  %0 = graph.resize_ %x size [%one] : !graph.tensor<4xf32>
  %1 = graph.neg %0 : !graph.tensor<?xf32>
  %2 = graph.masked_select %1, %m : !graph.tensor<?xf32>, !graph.tensor<?xi1>
  %3 = graph.linear %2, %w : !graph.tensor<?xf32>, !graph.tensor<?x?xf32>
  return %1 : !graph.tensor<?xf32>
}
//--- one.json
{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}, "m": {"dtype": "bool", "data": [true]}, "w": {"dtype": "f32", "data": []}},
 "args": [{"storage": "x", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0},
          {"storage": "m", "dtype": "bool", "sizes": [1], "strides": [1], "offset": 0},
          {"storage": "w", "dtype": "f32", "sizes": [1, 0], "strides": [1, 1], "offset": 0}]}
//--- none.json
{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}, "m": {"dtype": "bool", "data": [false]}, "w": {"dtype": "f32", "data": []}},
 "args": [{"storage": "x", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0},
          {"storage": "m", "dtype": "bool", "sizes": [1], "strides": [1], "offset": 0},
          {"storage": "w", "dtype": "f32", "sizes": [1, 0], "strides": [1, 1], "offset": 0}]}
