// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/parts.json > %t/parts.eager
// RUN: terrace-run %t/program.mlir --inputs %t/parts.json > %t/parts.out
// RUN: diff %t/parts.eager %t/parts.out
// RUN: FileCheck %s --check-prefix=PARTS --input-file %t/parts.out
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/apart.json > %t/apart.eager
// RUN: terrace-run %t/program.mlir --inputs %t/apart.json > %t/apart.out
// RUN: diff %t/apart.eager %t/apart.out
// RUN: FileCheck %s --check-prefix=APART --input-file %t/apart.out

// Two views of one storage as they declare to lie in it: what one writes the other one reads, and results are views of what
// came in.

// PARTS: {"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 3, "flags": []}
// PARTS: {"same_as": "args[2]"}
// PARTS: "s0": {"dtype": "f32", "data": [2.0, 3.0, 8.0, 5.0, 5.0]}
// APART: {"storage": "s1", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 3, "flags": []}
// APART: "s0": {"dtype": "f32", "data": [2.0, 3.0, 4.0, 5.0]}
// APART: "s1": {"dtype": "f32", "data": [0.0, 0.0, 4.0, 1.0, 1.0]}
// PARTS: "s2": {"dtype": "f32", "data": [18.0, 18.0]}

//--- program.mlir
func.func @main(%x: !graph.tensor<4xf32>, %y: !graph.tensor<3xf32> {graph.layout = strided<[1], offset: 2>},
                %z: !graph.tensor<2xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %one = arith.constant 1.0 : f64
  %w = graph.add_ %x, %one : !graph.tensor<4xf32>, f64
  %first = graph.select %y index [0] : !graph.tensor<3xf32>
  %v = graph.add_ %first, %first : !graph.tensor<f32>, !graph.tensor<f32>
  %s = graph.sum %y : !graph.tensor<3xf32>
  %u = graph.fill_ %z, %s : !graph.tensor<2xf32>, !graph.tensor<f32>
  %rest = graph.slice %y start [1] end [3] step [1] : !graph.tensor<3xf32>
  return %rest, %z : !graph.tensor<2xf32>, !graph.tensor<2xf32>
}

//--- parts.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 4, 5]}, "s2": {"dtype": "f32", "data": [0, 0]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s0", "dtype": "f32", "sizes": [3], "strides": [1], "offset": 2, "flags": []},
          {"storage": "s2", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0, "flags": []}]}

//--- apart.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 4]}, "s1": {"dtype": "f32", "data": [0, 0, 2, 1, 1]},
              "s2": {"dtype": "f32", "data": [0, 0]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s1", "dtype": "f32", "sizes": [3], "strides": [1], "offset": 2, "flags": []},
          {"storage": "s2", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0, "flags": []}]}
