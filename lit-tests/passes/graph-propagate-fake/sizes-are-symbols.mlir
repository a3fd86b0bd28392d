// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// Sizes that meet are equal under a guard, which the operation that needed it has.
// CHECK-LABEL: func.func @broadcast
// CHECK-SAME: graph.fake = "f32[s0, 4] strides [4, 1] storage 0 object 0"
// CHECK-SAME: graph.symbols = ["s0: size 0 of argument 0", "s1: size 0 of argument 1"]
func.func @broadcast(%x: !graph.tensor<?x4xf32>, %y: !graph.tensor<?x1xf32>) -> !graph.tensor<4x?xf32> {
  // CHECK: graph.t
  // CHECK-NOT: graph.guards
  // CHECK: graph.mul {{.*}}graph.fake = ["f32[4, s0] strides [1, 4] storage 2 object 4"], graph.guards = ["s0 == s1"]
  %t = graph.t %x : !graph.tensor<?x4xf32>
  %u = graph.t %y : !graph.tensor<?x1xf32>
  %0 = graph.mul %t, %u : !graph.tensor<4x?xf32>, !graph.tensor<1x?xf32>
  // Which dimension is the inner one is seen in strides, but not of one element, nor of none: there they lead to nothing, and nothing is asked.
  // CHECK-NEXT: graph.add {{.*}}graph.fake = ["f32[4, s0] strides [1, 4] storage 3 object 5"]}
  %1 = graph.add %0, %t : !graph.tensor<4x?xf32>, !graph.tensor<4x?xf32>
  return %1 : !graph.tensor<4x?xf32>
}

// A size that is asked for by a number has to divide.
// CHECK-LABEL: func.func @batches
func.func @batches(%x: !graph.tensor<?x8xf32>) -> !graph.tensor<?x16xf32> {
  // CHECK: graph.view {{.*}}"f32[(s0 floordiv 2), 16] strides [16, 1] storage 0 object 1"
  // CHECK-SAME: graph.guards = [{{.*}}"s0 == 2*(s0 floordiv 2)"
  %0 = graph.view %x size [-1, 16] : !graph.tensor<?x8xf32>
  return %0 : !graph.tensor<?x16xf32>
}

// What is proven needs no guard, though these operators ask whether sizes agree.
// CHECK-LABEL: func.func @proven
// CHECK-NOT: graph.guards
func.func @proven(%x: !graph.tensor<?x?xf32>) -> !graph.tensor<?x?xf32> {
  %0 = graph.relu %x : !graph.tensor<?x?xf32>
  %1 = graph.mul %0, %x : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>
  %t = graph.t %1 : !graph.tensor<?x?xf32>
  %2 = graph.mm %1, %t : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>
  return %2 : !graph.tensor<?x?xf32>
}
