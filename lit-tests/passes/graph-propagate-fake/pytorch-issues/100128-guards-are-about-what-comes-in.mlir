// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/100128
// Guards were made of what a tensor is after it was transposed in place, so that no input kept them. Symbols are what comes in.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: graph.fake = "f32[s0, s1] strides [max(s1, 1), 1] storage 0 object 0"
// CHECK-SAME: "s0: size 0 of argument 0", "s1: size 1 of argument 0", "s2: size 0 of argument 1", "s3: size 1 of argument 1"
func.func @transposed(%x: !graph.tensor<?x?xf32>, %y: !graph.tensor<?x?xf32>) -> !graph.tensor<?x?xf32> {
  // CHECK: graph.t_ {{.*}}"f32[s1, s0] strides [1, max(s1, 1)] storage 0 object 0"
  %0 = graph.t_ %x : !graph.tensor<?x?xf32>
  %1 = graph.t_ %y : !graph.tensor<?x?xf32>
  // CHECK: graph.add {{.*}}graph.guards = ["s0 == s2", "s1 == s3"
  %2 = graph.add %0, %1 : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>
  return %2 : !graph.tensor<?x?xf32>
}
