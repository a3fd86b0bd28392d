// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/apart.json > %t/apart.eager
// RUN: terrace-run %t/program.mlir --inputs %t/apart.json > %t/apart.out
// RUN: diff %t/apart.eager %t/apart.out
// RUN: FileCheck %s --check-prefix=APART --input-file %t/apart.out
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/same.json > %t/same.eager
// RUN: terrace-run %t/program.mlir --inputs %t/same.json > %t/same.out
// RUN: diff %t/same.eager %t/same.out
// RUN: FileCheck %s --check-prefix=SAME --input-file %t/same.out
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/shifted.json > %t/shifted.eager
// RUN: terrace-run %t/program.mlir --inputs %t/shifted.json > %t/shifted.out
// RUN: diff %t/shifted.eager %t/shifted.out
// RUN: FileCheck %s --check-prefix=SHIFTED --input-file %t/shifted.out

// Guards hold both ways: what was made for tensors that lie apart is not run on those that overlap, and the other way round
// (pytorch/pytorch issue 139789: compiled for inputs of one kind, run on the other, silently wrong).

// APART: "s0": {"dtype": "f32", "data": [2.0, 3.0, 4.0, 5.0, 5.0]}
// APART: "s1": {"dtype": "f32", "data": [1.0, 1.0, 1.0, 1.0]}
// APART: "new0": {"dtype": "f32", "data": [2.0, 2.0, 2.0, 2.0]}
// SAME: "s0": {"dtype": "f32", "data": [2.0, 3.0, 4.0, 5.0, 5.0]}
// SAME: "new0": {"dtype": "f32", "data": [4.0, 6.0, 8.0, 10.0]}
// SHIFTED: "new0": {"dtype": "f32", "data": [6.0, 8.0, 10.0, 10.0]}

//--- program.mlir
func.func @main(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32> {graph.layout = "any"}) -> !graph.tensor<4xf32> {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %w = graph.add_ %x, %one : !graph.tensor<4xf32>, f64
  %r = graph.mul %y, %two : !graph.tensor<4xf32>, f64
  return %r : !graph.tensor<4xf32>
}

//--- apart.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 4, 5]}, "s1": {"dtype": "f32", "data": [1, 1, 1, 1]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s1", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0, "flags": []}]}

//--- same.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 4, 5]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0, "flags": []}]}

//--- shifted.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 4, 5]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 1, "flags": []}]}
