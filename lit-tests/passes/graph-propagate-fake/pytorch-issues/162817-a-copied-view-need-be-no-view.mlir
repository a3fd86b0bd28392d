// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/162817
// view_copy of repeated elements was refused because no view of them has the sizes. A copy can have them.
// CHECK-LABEL: func.func @copied
func.func @copied(%x: !graph.tensor<7xi64>) -> !graph.tensor<84xi64> {
  %0 = graph.expand %x size [12, 7] : !graph.tensor<7xi64>
  // CHECK: graph.view_copy {{.*}}"i64[84] strides [1] storage 1
  %1 = graph.view_copy %0 size [84] : !graph.tensor<12x7xi64>
  return %1 : !graph.tensor<84xi64>
}
