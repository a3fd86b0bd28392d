// RUN: terrace-opt %s --graph-specialize-aliases | FileCheck %s
// RUN: terrace-opt %s --graph-specialize-aliases -o %t
// RUN: terrace-opt %t --graph-specialize-aliases | diff %t -

// Who calls it in the module knows how the arguments lie: it calls the function as it was written. A second run changes
// nothing.

// CHECK-LABEL: func.func @write(
// CHECK: call @write.disjoint
// CHECK: call @write.general
func.func @write(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @own(
// CHECK: call @write.general
func.func @own(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %c = graph.clone %x : !graph.tensor<4xf32>
  call @write(%c, %x) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  return %c : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func private @outer.disjoint(
// CHECK: scf.if
// CHECK: call @write.general
// CHECK-LABEL: func.func private @outer.general(
// CHECK: call @write.general
func.func @outer(%c: i1, %x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) {
  scf.if %c {
    func.call @write(%x, %y) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  }
  return
}
