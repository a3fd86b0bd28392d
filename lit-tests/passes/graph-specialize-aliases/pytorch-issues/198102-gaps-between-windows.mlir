// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/apart.json > %t/apart.eager
// RUN: terrace-run %t/program.mlir --inputs %t/apart.json > %t/apart.out
// RUN: diff %t/apart.eager %t/apart.out
// RUN: FileCheck %s --check-prefix=APART --input-file %t/apart.out
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/gaps.json > %t/gaps.eager
// RUN: terrace-run %t/program.mlir --inputs %t/gaps.json > %t/gaps.out
// RUN: diff %t/gaps.eager %t/gaps.out
// RUN: FileCheck %s --check-prefix=GAPS --input-file %t/gaps.out

// Writing windows with gaps between them leaves the gaps as they are (pytorch/pytorch issue 198102), and what the other
// argument reads of them too.

// APART: "s0": {"dtype": "f32", "data": [8.0, 8.0, 3.0, 8.0, 8.0, 6.0]}
// APART: "new0": {"dtype": "f32", "data": [2.0, 4.0, 6.0, 8.0]}
// GAPS: "s0": {"dtype": "f32", "data": [8.0, 8.0, 3.0, 8.0, 8.0, 6.0]}
// GAPS: "new0": {"dtype": "f32", "data": [16.0, 6.0, 16.0, 16.0]}

//--- program.mlir
func.func @main(%x: !graph.tensor<6xf32>, %y: !graph.tensor<4xf32> {graph.layout = strided<[1], offset: 1>}) -> !graph.tensor<4xf32> {
  %windows = graph.unfold %x {dimension = 0 : i64, size = 2 : i64, step = 3 : i64} : !graph.tensor<6xf32>
  %eight = arith.constant 8 : i64
  %w = graph.fill_ %windows, %eight : !graph.tensor<2x2xf32>, i64
  %two = arith.constant 2 : i64
  %r = graph.mul %y, %two : !graph.tensor<4xf32>, i64
  return %r : !graph.tensor<4xf32>
}

//--- apart.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}, "s1": {"dtype": "f32", "data": [0, 1, 2, 3, 4]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [6], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s1", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 1, "flags": []}]}

//--- gaps.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [6], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 1, "flags": []}]}
