// RUN: terrace-opt %s --graph-structure --split-input-file | FileCheck %s

// A private function that was put in the place of its calls goes, unless something else names it.
// CHECK-LABEL: func.func private @named(
// CHECK-LABEL: func.func @f(
// CHECK-NOT: call @named
// CHECK: graph.neg_
// CHECK: graph.custom @named
func.func private @named(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %0 = graph.neg_ %x : !graph.tensor<3xf32>
  return %x : !graph.tensor<3xf32>
}
func.func @f(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %0 = call @named(%x) : (!graph.tensor<3xf32>) -> !graph.tensor<3xf32>
  %1 = graph.custom @named(%0) {schema = "(Tensor(a!) x) -> Tensor(a!)"} : (!graph.tensor<3xf32>) -> !graph.tensor<3xf32>
  return %1 : !graph.tensor<3xf32>
}

// -----

// One that is public stays: who knows who calls it.
// CHECK-LABEL: func.func @public(
// CHECK-LABEL: func.func @g(
// CHECK-NOT: call @public
func.func @public(%x: !graph.tensor<3xf32>) {
  %0 = graph.neg_ %x : !graph.tensor<3xf32>
  return
}
func.func @g(%x: !graph.tensor<3xf32>) {
  call @public(%x) : (!graph.tensor<3xf32>) -> ()
  return
}
