// RUN: terrace-opt --graph-deferred-init=functions=init %s 2>&1 | FileCheck %s

// What is called makes a storage larger: it runs on a real one, so that all of it is there.
// CHECK: warning: 'graph.zeros' op is not deferred: result 0 is needed, or its sizes are not known without it
// CHECK-LABEL: func.func @init.fake
// CHECK: %[[A:.*]] = graph.zeros
// CHECK: %[[B:.*]] = graph.fake
// CHECK: call @grow(%[[A]])
// CHECK-NEXT: return %[[A]], %[[B]]
// CHECK-LABEL: func.func @init.materialize_0
// CHECK-NOT: call
func.func private @grow(%x: !graph.tensor<2xf32>) {
  %0 = graph.resize_ %x size [8] : !graph.tensor<2xf32>
  return
}
func.func @init() -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %a = graph.zeros [2] {dtype = f32}
  %b = graph.ones [2] {dtype = f32}
  call @grow(%a) : (!graph.tensor<2xf32>) -> ()
  return %a, %b : !graph.tensor<2xf32>, !graph.tensor<2xf32>
}
