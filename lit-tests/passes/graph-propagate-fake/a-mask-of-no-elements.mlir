// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// A mask of no elements is one of truths, too.
// CHECK-LABEL: func.func @empty
func.func @empty(%x: !graph.tensor<0x?xf32>) {
  // CHECK: graph.native_dropout {{.*}}"bool[0, s0] strides [max(s0, 1), 1] storage 1
  %0:2 = graph.native_dropout %x {p = 0.5} : !graph.tensor<0x?xf32>
  return
}
