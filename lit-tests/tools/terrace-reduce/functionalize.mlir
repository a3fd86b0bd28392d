// What a refused program is refused for stays; the operations and functions beside it go.

// RUN: terrace-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/may-share.sh' | FileCheck %s

// CHECK-LABEL: func.func @refused
//  CHECK-SAME: %[[X:[^:]+]]: !graph.tensor<2xf32>, %[[Y:[^:]+]]: !graph.tensor<2xf32>
func.func @refused(%x: !graph.tensor<2xf32>, %y: !graph.tensor<2xf32>) {
  // CHECK-NEXT: graph.mul_ %[[X]], %[[Y]]
  // CHECK-NEXT: return
  %a = graph.exp %y : !graph.tensor<2xf32>
  %b = graph.mul_ %x, %a : !graph.tensor<2xf32>, !graph.tensor<2xf32>
  %c = graph.mul_ %x, %y : !graph.tensor<2xf32>, !graph.tensor<2xf32>
  %d = graph.tanh %c : !graph.tensor<2xf32>
  return
}

// CHECK-NOT: @beside
func.func @beside(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> {
  %a = graph.exp %x : !graph.tensor<2xf32>
  return %a : !graph.tensor<2xf32>
}
