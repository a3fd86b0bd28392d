// Arguments that overlap in any way: compiled for the call, in the interpreter's words where that is refused.
// REQUIRES: x86
// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --inputs %t/apart.json | FileCheck %s --check-prefix=APART
// RUN: terrace-run %t/program.mlir --inputs %t/apart.json --target=interpret | FileCheck %s --check-prefix=APART
// RUN: terrace-run %t/program.mlir --inputs %t/same.json | FileCheck %s --check-prefix=SAME
// RUN: terrace-run %t/program.mlir --inputs %t/same.json --target=interpret | FileCheck %s --check-prefix=SAME
// RUN: not terrace-run %t/program.mlir --inputs %t/partly.json 2>&1 | FileCheck %s --check-prefix=PARTLY
// RUN: not terrace-run %t/program.mlir --inputs %t/partly.json --target=interpret 2>&1 | FileCheck %s --check-prefix=PARTLY
// RUN: not terrace-run %t/program.mlir --inputs %t/repeated.json 2>&1 | FileCheck %s --check-prefix=REPEATED
// RUN: not terrace-run %t/program.mlir --inputs %t/repeated.json --target=interpret 2>&1 | FileCheck %s --check-prefix=REPEATED
// RUN: not terrace-run %t/program.mlir --inputs %t/interleaved.json 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not terrace-run %t/program.mlir --inputs %t/interleaved.json --target=interpret 2>&1 | FileCheck %s --check-prefix=ORDER
// Two rounds: x += y; y *= 2, and x again.

// APART: {"same_as": "args[0]"}
// APART: "data": [10.0, 20.0, 8.0, 16.0]
// SAME: {"same_as": "args[0]"}
// SAME: "data": [16.0, 32.0]
// PARTLY: some elements of the input tensor and the written-to tensor refer to a single memory location
// REPEATED: more than one element of the written-to tensor refers to a single memory location
// ORDER: result depends on the order of evaluation: operand 1 overlaps the written-to tensor

//--- program.mlir
func.func @main(%x: !graph.tensor<2xf32> {graph.layout = "any"}, %y: !graph.tensor<2xf32> {graph.layout = "any"}) -> !graph.tensor<2xf32> {
  %two = arith.constant 2.0 : f64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 2 : index
  %r = scf.for %i = %zero to %end step %one iter_args(%a = %x) -> (!graph.tensor<2xf32>) {
    %0 = graph.add_ %a, %y : !graph.tensor<2xf32>, !graph.tensor<2xf32>
    %1 = graph.mul_ %y, %two : !graph.tensor<2xf32>, f64
    scf.yield %0 : !graph.tensor<2xf32>
  }
  return %r : !graph.tensor<2xf32>
}

//--- apart.json
{"storages": {"s": {"dtype": "f32", "data": [4, 8, 2, 4]}},
 "args": [{"storage": "s", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 2, "flags": []}]}
//--- same.json
{"storages": {"s": {"dtype": "f32", "data": [1, 2]}},
 "args": [{"storage": "s", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0, "flags": []}]}
//--- partly.json
{"storages": {"s": {"dtype": "f32", "data": [1, 2, 3]}},
 "args": [{"storage": "s", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 1, "flags": []}]}
//--- repeated.json
{"storages": {"s": {"dtype": "f32", "data": [1, 2, 3]}},
 "args": [{"storage": "s", "dtype": "f32", "sizes": [2], "strides": [0], "offset": 0, "flags": []},
          {"storage": "s", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 1, "flags": []}]}
//--- interleaved.json
{"storages": {"s": {"dtype": "f32", "data": [1, 2, 3, 4, 5]}},
 "args": [{"storage": "s", "dtype": "f32", "sizes": [2], "strides": [2], "offset": 0, "flags": []},
          {"storage": "s", "dtype": "f32", "sizes": [2], "strides": [2], "offset": 2, "flags": []}]}
