// What a function changes by one argument, and uses by another that is the same tensor at this call, is an error where the program comes to the use.
// RUN: terrace-opt %s --graph-structure | FileCheck %s

func.func private @f(%x: !graph.tensor<1x1xf32>, %y: !graph.tensor<1x1xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %0 = graph.t_ %x : !graph.tensor<1x1xf32>
    %1 = graph.neg_ %y : !graph.tensor<1x1xf32>
  }
  return
}

// CHECK-LABEL: func.func @one
// CHECK: scf.for
// CHECK: %[[SAME:.*]] = graph.alias
// CHECK: graph.t_
// CHECK: cf.assert %{{.*}}, "uses a tensor whose sizes, strides or storage 'graph.t_' has changed: use its result"
// CHECK: graph.neg_ %[[SAME]]
func.func @one(%x: !graph.tensor<1x1xf32>, %n: index) {
  %0 = graph.exp_ %x : !graph.tensor<1x1xf32>
  func.call @f(%x, %0, %n) : (!graph.tensor<1x1xf32>, !graph.tensor<1x1xf32>, index) -> ()
  return
}

// CHECK-LABEL: func.func @two
// CHECK-NOT: cf.assert
// CHECK: return
func.func @two(%x: !graph.tensor<1x1xf32>, %y: !graph.tensor<1x1xf32>, %n: index) {
  func.call @f(%x, %y, %n) : (!graph.tensor<1x1xf32>, !graph.tensor<1x1xf32>, index) -> ()
  return
}
