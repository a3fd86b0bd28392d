// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/beyond.json > %t/beyond.eager
// RUN: terrace-run %t/program.mlir --inputs %t/beyond.json > %t/beyond.out
// RUN: diff %t/beyond.eager %t/beyond.out
// RUN: FileCheck %s --check-prefix=BEYOND --input-file %t/beyond.out

// Rows of one storage are disjoint, but a view reaches from one into the other (pytorch/pytorch issue 104505): storages are compared, not elements.

// BEYOND: "new0": {"dtype": "f32", "data": [24.0]}

//--- program.mlir
func.func @main(%x: !graph.tensor<2xf32>, %y: !graph.tensor<2xf32> {graph.layout = strided<[1], offset: 2>}) -> !graph.tensor<f32> {
  %all = graph.as_strided %x size [4] stride [1] storage_offset [0] : !graph.tensor<2xf32>
  %w = graph.add_ %all, %all : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %p = graph.prod %y : !graph.tensor<2xf32>
  %k = arith.constant 3 : i64
  %s = graph.sub_ %y, %k : !graph.tensor<2xf32>, i64
  %r = graph.sum %all : !graph.tensor<4xf32>
  %t = graph.add %r, %p : !graph.tensor<f32>, !graph.tensor<f32>
  return %t : !graph.tensor<f32>
}

//--- beyond.json
{"storages": {"s0": {"dtype": "f32", "data": [1, 1, 1, 4]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0, "flags": []},
          {"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 2, "flags": []}]}
