// Strides that eager finds by comparing those of operands, compiled: as the interpreter has them, for tensors that lie in different ways.
// REQUIRES: x86
// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --inputs %t/rows.json > %t/rows.compiled
// RUN: terrace-run %t/program.mlir --inputs %t/rows.json --target=interpret > %t/rows.interpreted
// RUN: diff %t/rows.compiled %t/rows.interpreted
// RUN: FileCheck %s --check-prefix=ROWS < %t/rows.compiled
// RUN: terrace-run %t/program.mlir --inputs %t/columns.json > %t/columns.compiled
// RUN: terrace-run %t/program.mlir --inputs %t/columns.json --target=interpret > %t/columns.interpreted
// RUN: diff %t/columns.compiled %t/columns.interpreted
// RUN: FileCheck %s --check-prefix=COLUMNS < %t/columns.compiled

// ROWS: "sizes": [2, 3], "strides": [3, 1]
// COLUMNS: "sizes": [2, 3], "strides": [1, 2]

//--- program.mlir
func.func @main(%x: !graph.tensor<?x3xf32> {graph.layout = "any"}, %i: !graph.tensor<2xi64>, %m: !graph.tensor<?x3xi1>)
    -> (!graph.tensor<2x3xf32>, !graph.tensor<?xf32>, !graph.tensor<?x2xi64>) {
  %0 = graph.neg_ %x : !graph.tensor<?x3xf32>
  %1 = graph.index %0[%i] {present = array<i1: true>} : !graph.tensor<?x3xf32>[!graph.tensor<2xi64>]
  %2 = graph.index %0[%m] {present = array<i1: true>} : !graph.tensor<?x3xf32>[!graph.tensor<?x3xi1>]
  %3 = graph.nonzero %0 : !graph.tensor<?x3xf32>
  return %1, %2, %3 : !graph.tensor<2x3xf32>, !graph.tensor<?xf32>, !graph.tensor<?x2xi64>
}

//--- rows.json
{"storages": {"s": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}, "i": {"dtype": "i64", "data": [1, 0]},
              "m": {"dtype": "bool", "data": [true, false, true, false, true, false]}},
 "args": [{"storage": "s", "dtype": "f32", "sizes": [2, 3], "strides": [3, 1], "offset": 0, "flags": []},
          {"storage": "i", "dtype": "i64", "sizes": [2], "strides": [1], "offset": 0, "flags": []},
          {"storage": "m", "dtype": "bool", "sizes": [2, 3], "strides": [3, 1], "offset": 0, "flags": []}]}
//--- columns.json
{"storages": {"s": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}, "i": {"dtype": "i64", "data": [1, 0]},
              "m": {"dtype": "bool", "data": [true, false, true, false, true, false]}},
 "args": [{"storage": "s", "dtype": "f32", "sizes": [2, 3], "strides": [1, 2], "offset": 0, "flags": []},
          {"storage": "i", "dtype": "i64", "sizes": [2], "strides": [1], "offset": 0, "flags": []},
          {"storage": "m", "dtype": "bool", "sizes": [2, 3], "strides": [3, 1], "offset": 0, "flags": []}]}
