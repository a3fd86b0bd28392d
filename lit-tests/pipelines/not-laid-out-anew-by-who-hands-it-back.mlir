// A tensor that a function gives back is the one that it was called with, and lies as that does: what the function declares says nothing of strides of dimensions of size 1.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "i32", "data": [1, 2, 3]}}, "args": [{"storage": "x", "sizes": [1, 3]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json --entry main > %t.compiled
// RUN: terrace-run %s --inputs %t.json --entry main --target=interpret | diff - %t.compiled
// RUN: FileCheck %s < %t.compiled
// CHECK: "sizes": [3, 1], "strides": [1, 3]
// CHECK-NEXT: {"same_as": "outputs[0]"}
func.func private @f(%x: !graph.tensor<3x1xi32>) -> (!graph.tensor<i32>, !graph.tensor<3x1xi32>) {
  %i = arith.constant 2 : i64
  %0 = graph.as_strided %x size [] stride [] storage_offset [%i] : !graph.tensor<3x1xi32>
  %1 = graph.value %x : !graph.tensor<3x1xi32>
  return %0, %x : !graph.tensor<i32>, !graph.tensor<3x1xi32>
}
func.func @main(%x: !graph.tensor<1x3xi32>) -> (!graph.tensor<3x1xi32>, !graph.tensor<3x1xi32>) {
  %0 = graph.clone %x : !graph.tensor<1x3xi32>
  %1 = graph.t %0 : !graph.tensor<1x3xi32>
  %2:2 = func.call @f(%1) : (!graph.tensor<3x1xi32>) -> (!graph.tensor<i32>, !graph.tensor<3x1xi32>)
  return %2#1, %1 : !graph.tensor<3x1xi32>, !graph.tensor<3x1xi32>
}
