// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/122109
// Fake tensors could not be made on a device that the machine does not have.
// CHECK-LABEL: func.func @made
func.func @made() {
  %three = arith.constant 3 : i64
  // CHECK: graph.empty {{.*}}on cuda:0
  %0 = graph.empty [10] {device = "cuda:0"}
  // CHECK: graph.ones {{.*}}on cuda:0
  %1 = graph.ones [10] {dtype = f32, device = "cuda:0"}
  // CHECK: graph.rand {{.*}}on cuda:0
  %2 = graph.rand [10] {device = "cuda:0"}
  // CHECK: graph.scalar_tensor {{.*}}on mtia:0
  %3 = graph.scalar_tensor %three {dtype = i64, device = "mtia"} : i64
  // CHECK: graph.arange {{.*}}on meta
  %4 = graph.arange end %three : i64 {dtype = i64, device = "meta:0"}
  return
}
