// A transposed view of a square whose strides the types do not say has its own strides, though its type is that of the square.
// REQUIRES: x86
// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --inputs %t/inputs.json | FileCheck %s
// RUN: terrace-run %t/program.mlir --inputs %t/inputs.json --target=interpret | FileCheck %s

// CHECK: "sizes": [2, 2], "strides": [1, 2]
// CHECK: "data": [1.0, 3.0, 2.0, 4.0]

//--- program.mlir
func.func @main(%x: !graph.tensor<2x2xf32> {graph.layout = strided<[?, ?], offset: 0>}) -> (!graph.tensor<2x2xf32>, !graph.tensor<4xf32>) {
  %0 = graph.t %x : !graph.tensor<2x2xf32>
  %1 = graph.clone %0 {memory_format = "contiguous_format"} : !graph.tensor<2x2xf32>
  %2 = graph.view %1 size [4] : !graph.tensor<2x2xf32>
  return %0, %2 : !graph.tensor<2x2xf32>, !graph.tensor<4xf32>
}

//--- inputs.json
{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}},
 "args": [{"storage": "x", "dtype": "f32", "sizes": [2, 2], "strides": [2, 1], "offset": 0, "flags": []}]}
