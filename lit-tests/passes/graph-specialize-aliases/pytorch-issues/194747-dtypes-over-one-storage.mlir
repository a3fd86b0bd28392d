// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/columns.json > %t/columns.eager
// RUN: terrace-run %t/program.mlir --inputs %t/columns.json > %t/columns.out
// RUN: diff %t/columns.eager %t/columns.out
// RUN: FileCheck %s --check-prefix=COLUMNS --input-file %t/columns.out
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/bytes.json > %t/bytes.eager
// RUN: terrace-run %t/program.mlir --inputs %t/bytes.json > %t/bytes.out
// RUN: diff %t/bytes.eager %t/bytes.out
// RUN: FileCheck %s --check-prefix=BYTES --input-file %t/bytes.out

// Inputs of different dtypes over one storage (pytorch/pytorch issue 194747): memory is compared byte by byte. The upper
// halves of numbers are seen by a write to them, interleaved ones are disjoint.

// COLUMNS: "s0": {"dtype": "i32", "data": [1, 7, 1, 7]}
// BYTES: "new0": {"dtype": "i32", "data": [65537, 65538]}

//--- program.mlir
func.func @main(%x: !graph.tensor<2xi16> {graph.layout = "any"}, %y: !graph.tensor<2xi32> {graph.layout = "any"}) -> !graph.tensor<2xi32> {
  %one = arith.constant 1 : i64
  %w = graph.fill_ %x, %one : !graph.tensor<2xi16>, i64
  %r = graph.clone %y : !graph.tensor<2xi32>
  return %r : !graph.tensor<2xi32>
}

//--- columns.json
{"storages": {"s0": {"dtype": "i32", "data": [9, 7, 11, 7]}},
 "args": [{"storage": "s0", "dtype": "i16", "sizes": [2], "strides": [4], "offset": 0, "flags": []},
          {"storage": "s0", "dtype": "i32", "sizes": [2], "strides": [2], "offset": 1, "flags": []}]}

//--- bytes.json
{"storages": {"s0": {"dtype": "i32", "data": [1, 2]}},
 "args": [{"storage": "s0", "dtype": "i16", "sizes": [2], "strides": [2], "offset": 1, "flags": []},
          {"storage": "s0", "dtype": "i32", "sizes": [2], "strides": [1], "offset": 0, "flags": []}]}
