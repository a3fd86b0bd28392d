// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/95399
// What one mask picks of two tensors could not be added: each had a size of its own. It is one size, until the mask is written.
// CHECK-LABEL: func.func @picked
// CHECK-SAME: "s0: size 0 of result 0 of operation 0, by its elements", "s1: size 0 of result 0 of operation 5, by its elements"
func.func @picked(%x: !graph.tensor<9xf32>, %y: !graph.tensor<9xf32>, %m: !graph.tensor<9xi1>) -> !graph.tensor<?xf32> {
  // CHECK: graph.nonzero {{.*}}"i64[s0, 1]
  %n = graph.nonzero %m : !graph.tensor<9xi1>
  // CHECK: graph.index {{.*}}"f32[s0] strides [1]
  %0 = graph.index %x[%m] {present = array<i1: true>} : !graph.tensor<9xf32>[!graph.tensor<9xi1>]
  // CHECK: graph.index {{.*}}"f32[s0] strides [1]
  %1 = graph.index %y[%m] {present = array<i1: true>} : !graph.tensor<9xf32>[!graph.tensor<9xi1>]
  // CHECK: graph.add {{.*}}"f32[s0] strides [1] {{.*}}"]} :
  %2 = graph.add %0, %1 : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  %3 = graph.logical_not_ %m : !graph.tensor<9xi1>
  %4 = graph.index %x[%3] {present = array<i1: true>} : !graph.tensor<9xf32>[!graph.tensor<9xi1>]
  // CHECK: graph.add {{.*}}graph.guards = ["s0 == s1"]
  %5 = graph.add %2, %4 : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  return %5 : !graph.tensor<?xf32>
}
