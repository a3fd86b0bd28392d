// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/apart.json | FileCheck %s
// RUN: not terrace-run %t/program.mlir --target=interpret --inputs %t/overlap.json 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: terrace-run %t/program.mlir --inputs %t/apart.json | FileCheck %s
// RUN: not terrace-run %t/program.mlir --inputs %t/overlap.json 2>&1 | FileCheck %s --check-prefix=COMPILED

// What eager refuses is refused; it is never a trap.
// CHECK: "s0": {"dtype": "f32", "data": [3.0, 5.0, 7.0, 9.0, 2.0, 3.0, 4.0, 5.0]}
// ERROR: error: 'graph.add_' op unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.

// COMPILED: unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.

//--- program.mlir
func.func @main(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32> {graph.layout = "any"}) {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}

//--- apart.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 4, 2, 3, 4, 5]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 4, "flags": []}]}

//--- overlap.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 4, 5]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 1, "flags": []}]}
