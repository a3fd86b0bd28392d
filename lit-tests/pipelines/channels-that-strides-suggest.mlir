// A new tensor has its channels innermost where strides that are known when the program runs suggest it.
// REQUIRES: x86
// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --inputs %t/rows.json | FileCheck %s --check-prefix=ROWS
// RUN: terrace-run %t/program.mlir --inputs %t/rows.json --target=interpret | FileCheck %s --check-prefix=ROWS
// RUN: terrace-run %t/program.mlir --inputs %t/channels.json | FileCheck %s --check-prefix=CHANNELS
// RUN: terrace-run %t/program.mlir --inputs %t/channels.json --target=interpret | FileCheck %s --check-prefix=CHANNELS

// ROWS: "sizes": [1, 1, 2, 2], "strides": [4, 4, 2, 1]
// ROWS: "sizes": [2, 2, 2, 2], "strides": [8, 4, 2, 1]
// ROWS: "data": [6.0, 8.0, 10.0, 12.0]
// CHANNELS: "sizes": [1, 1, 2, 2], "strides": [4, 1, 2, 1]
// CHANNELS: "sizes": [2, 2, 2, 2], "strides": [8, 1, 4, 2]
// CHANNELS: "data": [3.0, 7.0, 11.0, 15.0]

//--- program.mlir
func.func @main(%x: !graph.tensor<1x2x2x2xf32> {graph.layout = "any"}, %w: !graph.tensor<1x2x1x1xf32>) -> (!graph.tensor<1x1x2x2xf32>, !graph.tensor<2x2x2x2xf32>) {
  %0 = graph.conv2d %x, %w {padding = array<i64: 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : !graph.tensor<1x2x2x2xf32>, !graph.tensor<1x2x1x1xf32>
  %1 = graph.cat %x, %x {dim = 0 : i64} : !graph.tensor<1x2x2x2xf32>, !graph.tensor<1x2x2x2xf32>
  return %0, %1 : !graph.tensor<1x1x2x2xf32>, !graph.tensor<2x2x2x2xf32>
}

//--- rows.json
{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6, 7, 8]}, "w": {"dtype": "f32", "data": [1, 1]}},
 "args": [{"storage": "x", "dtype": "f32", "sizes": [1, 2, 2, 2], "strides": [8, 4, 2, 1], "offset": 0, "flags": []},
          {"storage": "w", "dtype": "f32", "sizes": [1, 2, 1, 1], "strides": [2, 1, 1, 1], "offset": 0, "flags": []}]}
//--- channels.json
{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6, 7, 8]}, "w": {"dtype": "f32", "data": [1, 1]}},
 "args": [{"storage": "x", "dtype": "f32", "sizes": [1, 2, 2, 2], "strides": [8, 1, 4, 2], "offset": 0, "flags": []},
          {"storage": "w", "dtype": "f32", "sizes": [1, 2, 1, 1], "strides": [2, 1, 1, 1], "offset": 0, "flags": []}]}
