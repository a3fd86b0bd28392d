// RUN: terrace-opt %s --graph-structure --split-input-file | FileCheck %s

// A private function that was put in the place of its calls goes, unless something else names it.
// CHECK-LABEL: func.func private @named(
// CHECK-LABEL: func.func @f(
// CHECK-NOT: call @named
// CHECK: graph.neg_
// CHECK: return {mine.uses = @named}
func.func private @named(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %0 = graph.neg_ %x : !graph.tensor<3xf32>
  return %x : !graph.tensor<3xf32>
}
func.func @f(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %0 = call @named(%x) : (!graph.tensor<3xf32>) -> !graph.tensor<3xf32>
  return {mine.uses = @named} %0 : !graph.tensor<3xf32>
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
