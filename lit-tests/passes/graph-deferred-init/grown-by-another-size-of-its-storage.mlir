// RUN: terrace-opt --graph-deferred-init=functions=init %s 2>&1 | FileCheck %s

// A storage that is made larger is as large when all that is known of it are sizes: it is made at once, in its order.
// CHECK: warning: 'graph.zeros' op is not deferred: result 0 is needed, or its sizes are not known without it
// CHECK-LABEL: func.func @init.fake
// CHECK: %[[A:.*]] = graph.zeros
// CHECK: graph.resize_storage %[[A]]
// CHECK-LABEL: func.func @init.materialize_0
// CHECK-NOT: graph.resize_storage
func.func @init() -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %a = graph.zeros [2] {dtype = f32}
  %b = graph.ones [2] {dtype = f32}
  graph.resize_storage %a bytes [32] : !graph.tensor<2xf32>
  return %a, %b : !graph.tensor<2xf32>, !graph.tensor<2xf32>
}
