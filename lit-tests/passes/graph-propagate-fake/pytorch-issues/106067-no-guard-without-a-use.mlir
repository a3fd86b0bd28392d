// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/106067
// Every size of an argument had the guards that it is neither 0 nor 1, used or not. A guard has an operation that needs it.
// CHECK-LABEL: func.func @unused
func.func @unused(%x: !graph.tensor<?xf32>, %y: !graph.tensor<?xf32>) -> !graph.tensor<?xf32> {
  // CHECK-NOT: graph.guards
  %0 = graph.neg %y : !graph.tensor<?xf32>
  return %0 : !graph.tensor<?xf32>
}
