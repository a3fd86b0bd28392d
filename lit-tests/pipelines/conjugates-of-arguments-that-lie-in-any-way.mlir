// Views of conjugates and negatives of arguments of any layout: as the interpreter has them.
// REQUIRES: x86
// RUN: rm -rf %t && split-file %s %t
// RUN: terrace-run %t/program.mlir --inputs %t/apart.json > %t/compiled
// RUN: terrace-run %t/program.mlir --inputs %t/apart.json --target=interpret > %t/interpreted
// RUN: diff %t/compiled %t/interpreted
// RUN: FileCheck %s < %t/compiled

// CHECK: "strides": [1, 2], "offset": 0, "flags": ["conj"]
// CHECK: "storage": "t", {{.*}}"flags": ["conj"]
// CHECK: "dtype": "f32", {{.*}}"strides": [4, 2], "offset": 1, "flags": ["neg"]

//--- program.mlir
func.func @main(%x: !graph.tensor<2x2xcomplex<f32>> {graph.layout = "any"}, %y: !graph.tensor<?x?xcomplex<f32>> {graph.layout = "any"}, %c: i1)
    -> (!graph.tensor<2x2xcomplex<f32>>, !graph.tensor<?x?xcomplex<f32>>, !graph.tensor<2x2xf32>) {
  %0 = graph._conj %x : !graph.tensor<2x2xcomplex<f32>>
  %1 = graph.t %0 : !graph.tensor<2x2xcomplex<f32>>
  %2 = graph.mul_ %1, %y : !graph.tensor<2x2xcomplex<f32>>, !graph.tensor<?x?xcomplex<f32>>
  %3 = graph._conj %y : !graph.tensor<?x?xcomplex<f32>>
  %4 = scf.if %c -> (!graph.tensor<?x?xcomplex<f32>>) {
    %5 = graph.t %3 : !graph.tensor<?x?xcomplex<f32>>
    scf.yield %5 : !graph.tensor<?x?xcomplex<f32>>
  } else {
    scf.yield %3 : !graph.tensor<?x?xcomplex<f32>>
  }
  %6 = graph.add_ %4, %3 : !graph.tensor<?x?xcomplex<f32>>, !graph.tensor<?x?xcomplex<f32>>
  %7 = graph.imag %0 : !graph.tensor<2x2xcomplex<f32>>
  %8 = graph.neg_ %7 : !graph.tensor<2x2xf32>
  return %2, %4, %7 : !graph.tensor<2x2xcomplex<f32>>, !graph.tensor<?x?xcomplex<f32>>, !graph.tensor<2x2xf32>
}

//--- apart.json
{"storages": {"s": {"dtype": "c64", "data": [[1, 2], [3, 4], [5, 6], [7, -8]]}, "t": {"dtype": "c64", "data": [[1, 2], [3, 4], [5, 6], [7, -8]]}},
 "args": [{"storage": "s", "dtype": "c64", "sizes": [2, 2], "strides": [2, 1], "offset": 0, "flags": []},
          {"storage": "t", "dtype": "c64", "sizes": [2, 2], "strides": [2, 1], "offset": 0, "flags": []}, false]}
