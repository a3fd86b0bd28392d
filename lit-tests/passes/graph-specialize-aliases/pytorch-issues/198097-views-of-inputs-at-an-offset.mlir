// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/apart.json > %t/apart.eager
// RUN: terrace-run %t/program.mlir --inputs %t/apart.json > %t/apart.out
// RUN: diff %t/apart.eager %t/apart.out
// RUN: FileCheck %s --check-prefix=APART --input-file %t/apart.out
// RUN: terrace-run %t/program.mlir --target=interpret --inputs %t/shared.json > %t/shared.eager
// RUN: terrace-run %t/program.mlir --inputs %t/shared.json > %t/shared.out
// RUN: diff %t/shared.eager %t/shared.out
// RUN: FileCheck %s --check-prefix=SHARED --input-file %t/shared.out

// A result that is a view of an input at an offset has that offset, beside what is written (pytorch/pytorch issue 198097),
// and a written view keeps its strides (issue 133512).

// APART: {"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [3], "offset": 4, "flags": []}
// APART: "s1": {"dtype": "f32", "data": [1.0, 3.0, 2.0, 4.0]}
// SHARED: {"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [3], "offset": 4, "flags": []}
// SHARED: {"storage": "s0", "dtype": "f32", "sizes": [2, 2], "strides": [1, 2], "offset": 2, "flags": []}
// SHARED: "s0": {"dtype": "f32", "data": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]}

//--- program.mlir
func.func @main(%x: !graph.tensor<2x3xf32> {graph.layout = strided<[3, 1], offset: 3>},
                %y: !graph.tensor<2x2xf32> {graph.layout = strided<[1, 2], offset: ?>})
    -> (!graph.tensor<2xf32>, !graph.tensor<2x2xf32>) {
  %column = graph.select %x index [1] {dim = 1 : i64} : !graph.tensor<2x3xf32>
  %first = graph.select %x index [0] : !graph.tensor<2x3xf32>
  %corner = graph.slice %first start [0] end [2] step [1] : !graph.tensor<3xf32>
  %w = graph.add_ %y, %y : !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>
  %half = arith.constant 0.5 : f64
  %v = graph.mul_ %w, %half : !graph.tensor<2x2xf32>, f64
  %s = graph.sum %corner : !graph.tensor<2xf32>
  return %column, %v : !graph.tensor<2xf32>, !graph.tensor<2x2xf32>
}

//--- apart.json
{"storages": {"s0": {"dtype": "f32", "data": [0, 1, 2, 3, 4, 5, 6, 7, 8]}, "s1": {"dtype": "f32", "data": [1, 3, 2, 4]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [2, 3], "strides": [3, 1], "offset": 3, "flags": []},
          {"storage": "s1", "dtype": "f32", "sizes": [2, 2], "strides": [1, 2], "offset": 0, "flags": []}]}

//--- shared.json
{"storages": {"s0": {"dtype": "f32", "data": [0, 1, 2, 3, 4, 5, 6, 7, 8]}},
 "args": [{"storage": "s0", "dtype": "f32", "sizes": [2, 3], "strides": [3, 1], "offset": 3, "flags": []},
          {"storage": "s0", "dtype": "f32", "sizes": [2, 2], "strides": [1, 2], "offset": 2, "flags": []}]}
