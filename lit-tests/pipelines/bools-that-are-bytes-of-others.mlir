// The bytes of another dtype that are seen as bools are true unless they are 0, in what is made of values and in what runs as it is written.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "u8", "data": [0, 1, 2, 128, 255, 0]}}, "args": [{"storage": "x", "sizes": [6]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: sed 's/xf32>) {/xf32>) {/' %s > %t.mlir
// RUN: terrace-run %t.mlir --inputs %t.json | diff - %t.compiled
// RUN: FileCheck %s < %t.compiled
// CHECK: "data": [0.0, 1.0, 1.0, 1.0, 1.0, 0.0]
// CHECK: "data": [4.0]
func.func @main(%x: !graph.tensor<6xui8>) -> (!graph.tensor<6xf32>, !graph.tensor<1xf32>) {
  %0 = graph.view.dtype %x {dtype = i1} : !graph.tensor<6xui8>
  %1 = graph._to_copy %0 {dtype = f32} : !graph.tensor<6xi1>
  %2 = graph.sum %0 {dtype = f32, dim = array<i64: 0>, keepdim = true} : !graph.tensor<6xi1>
  return %1, %2 : !graph.tensor<6xf32>, !graph.tensor<1xf32>
}
