// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-opt %t/program.mlir --graph-specialize-aliases | FileCheck %s
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/apart.json > %t/apart.eager
// RUN: terrace-run %t/program.mlir --inputs %t/apart.json > %t/apart.out
// RUN: diff %t/apart.eager %t/apart.out
// RUN: FileCheck %s --check-prefix=APART --input-file %t/apart.out
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/alive.json > %t/alive.eager
// RUN: terrace-run %t/program.mlir --inputs %t/alive.json > %t/alive.out
// RUN: diff %t/alive.eager %t/alive.out
// RUN: FileCheck %s --check-prefix=ALIVE --input-file %t/alive.out

// resize_ reaches beyond its tensor, into what a live alias sees (pytorch/pytorch issues 81385, 191449): such arguments are
// not taken for disjoint, though their elements are.

// CHECK: graph.check_disjoint %{{.*}}, %{{.*}} {storages}
// APART: "s0": {"dtype": "f32", "data": [7.0, 7.0, 7.0, 7.0]}
// APART: "new0": {"dtype": "f32", "data": [30.0]}
// ALIVE: "s0": {"dtype": "f32", "data": [7.0, 7.0, 7.0, 7.0]}
// ALIVE: "new0": {"dtype": "f32", "data": [14.0]}

//--- program.mlir
func.func @main(%x: !graph.tensor<2xf32>, %y: !graph.tensor<2xf32> {graph.layout = strided<[1], offset: 2>}) -> !graph.tensor<f32> {
  %r = graph.resize_ %x size [4] : !graph.tensor<2xf32>
  %seven = arith.constant 7 : i64
  %w = graph.fill_ %r, %seven : !graph.tensor<4xf32>, i64
  %s = graph.sum %y : !graph.tensor<2xf32>
  return %s : !graph.tensor<f32>
}

//--- apart.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 4]}, "s1": {"dtype": "f32", "data": [0, 0, 10, 20]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s1", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 2, "flags": []}]}

//--- alive.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 4]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 2, "flags": []}]}
