// RUN: not terrace-opt --graph-deferred-init=functions=init,other %s 2>&1 | FileCheck %s

// CHECK: error: graph-deferred-init: has no function @other
func.func @init() -> !graph.tensor<2xf32> {
  %0 = graph.zeros [2] {dtype = f32}
  return %0 : !graph.tensor<2xf32>
}
