// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/113165
// A view of which one size is to be found could not divide a size that depends on elements. That it can be divided is a guard, and
// the quotient is known to be one.
// CHECK-LABEL: func.func @divided
func.func @divided(%n: i64) -> !graph.tensor<4x?x12xf32> {
  %0 = graph.empty [%n, 12]
  // CHECK: graph.view {{.*}}"f32[4, (s0 floordiv 4), 12] strides [12*(s0 floordiv 4), 12, 1] storage 0
  // CHECK-SAME: graph.guards = ["s0 == 4*(s0 floordiv 4)"
  %1 = graph.view %0 size [4, -1, 12] : !graph.tensor<?x12xf32>
  return %1 : !graph.tensor<4x?x12xf32>
}
