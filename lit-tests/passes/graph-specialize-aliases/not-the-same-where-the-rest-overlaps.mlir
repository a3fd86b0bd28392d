// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/all.json > %t/all.eager
// RUN: terrace-run %t/program.mlir --inputs %t/all.json > %t/all.out
// RUN: diff %t/all.eager %t/all.out
// RUN: FileCheck %s --check-prefix=ALL --input-file %t/all.out
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/rest.json > %t/rest.eager
// RUN: terrace-run %t/program.mlir --inputs %t/rest.json > %t/rest.out
// RUN: diff %t/rest.eager %t/rest.out
// RUN: FileCheck %s --check-prefix=REST --input-file %t/rest.out

// The first two are the same in both calls; in the second one the third is a part of them, and is not read as it was before.

// ALL: "new0": {"dtype": "f32", "data": [10.0]}
// REST: "new0": {"dtype": "f32", "data": [14.0]}

//--- program.mlir
func.func @main(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>, %z: !graph.tensor<2xf32> {graph.layout = "any"}) -> !graph.tensor<f32> {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %r = graph.sum %z : !graph.tensor<2xf32>
  return %r : !graph.tensor<f32>
}

//--- all.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 4]}, "s1": {"dtype": "f32", "data": [5, 5]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s1", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0, "flags": []}]}

//--- rest.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 2, 3, 4]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s0", "dtype": "f32", "sizes": [4], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 2, "flags": []}]}
