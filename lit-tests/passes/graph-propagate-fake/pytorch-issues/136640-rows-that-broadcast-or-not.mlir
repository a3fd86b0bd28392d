// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/136640
// Rows of two vectors of unknown sizes were multiplied as if they were equally many, without a guard, and code for them was then called
// where one is a single row. That they are equally many is a guard.
// CHECK-LABEL: func.func @rows
func.func @rows(%x: !graph.tensor<?xf32>, %y: !graph.tensor<?xf32>) -> !graph.tensor<?x4xf32> {
  %0 = graph.view %x size [-1, 4] : !graph.tensor<?xf32>
  %1 = graph.view %y size [-1, 4] : !graph.tensor<?xf32>
  // CHECK: graph.mul {{.*}}graph.guards = ["(s0 floordiv 4) == (s1 floordiv 4)"
  %2 = graph.mul %0, %1 : !graph.tensor<?x4xf32>, !graph.tensor<?x4xf32>
  return %2 : !graph.tensor<?x4xf32>
}
