// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/124581
// A transposed tensor with a size that depends on elements could not be reshaped: whether one of its sizes is 1 had to be known. It is a
// copy, unless the size is 1, which is a guard.
// CHECK-LABEL: func.func @reshaped
func.func @reshaped(%n: i64) -> !graph.tensor<?x80xf32> {
  %0 = graph.zeros [%n, 4, 20] {dtype = f32}
  %1 = graph.transpose %0 {dim0 = 2 : i64, dim1 = 1 : i64} : !graph.tensor<?x4x20xf32>
  // CHECK: graph.reshape {{.*}}"f32[s0, 80] strides [80, 1] storage 1 {{.*}}"s0 != 1"
  %2 = graph.reshape %1 shape [-1, 80] : !graph.tensor<?x20x4xf32>
  return %2 : !graph.tensor<?x80xf32>
}
