// RUN: terrace-opt --graph-deferred-init=functions=init,blocks %s | FileCheck %s

// What a called function does is sliced like the rest.
// CHECK-LABEL: func.func @init(
// CHECK-LABEL: func.func @init.fake
// CHECK-NOT: call
// CHECK: graph.skip_draws 4
// CHECK-LABEL: func.func @init.materialize_3
// CHECK: graph.empty [3]
// CHECK-NEXT: graph.skip_draws 3
// CHECK-NEXT: %[[B:.*]] = graph.uniform_
// CHECK-NEXT: graph.set_generator_state
// CHECK-NEXT: return %[[B]]
func.func private @linear() -> (!graph.tensor<3x3xf32>, !graph.tensor<3xf32>) {
  %e = graph.empty [3, 3]
  %w = graph.normal_ %e : !graph.tensor<3x3xf32>
  %f = graph.empty [3]
  %b = graph.uniform_ %f : !graph.tensor<3xf32>
  return %w, %b : !graph.tensor<3x3xf32>, !graph.tensor<3xf32>
}
func.func private @pair() -> (!graph.tensor<3x3xf32>, !graph.tensor<3xf32>, !graph.tensor<3x3xf32>, !graph.tensor<3xf32>) {
  %0:2 = call @linear() : () -> (!graph.tensor<3x3xf32>, !graph.tensor<3xf32>)
  %1:2 = call @linear() : () -> (!graph.tensor<3x3xf32>, !graph.tensor<3xf32>)
  return %0#0, %0#1, %1#0, %1#1 : !graph.tensor<3x3xf32>, !graph.tensor<3xf32>, !graph.tensor<3x3xf32>, !graph.tensor<3xf32>
}
func.func @init() -> (!graph.tensor<3x3xf32>, !graph.tensor<3xf32>, !graph.tensor<3x3xf32>, !graph.tensor<3xf32>) {
  %0:4 = call @pair() : () -> (!graph.tensor<3x3xf32>, !graph.tensor<3xf32>, !graph.tensor<3x3xf32>, !graph.tensor<3xf32>)
  return %0#0, %0#1, %0#2, %0#3 : !graph.tensor<3x3xf32>, !graph.tensor<3xf32>, !graph.tensor<3x3xf32>, !graph.tensor<3xf32>
}

// A function of several blocks is one operation, that writes what it is given.
// CHECK-LABEL: func.func @blocks(
// CHECK-LABEL: func.func @blocks.materialize_0
// CHECK: %[[A:.*]] = graph.zeros
// CHECK-NEXT: call @branches(%[[A]], %arg0)
// CHECK-NEXT: return %[[A]]
// CHECK-LABEL: func.func @blocks.materialize_1
// CHECK-NOT: call
// CHECK: return
func.func private @branches(%x: !graph.tensor<2xf32>, %which: i1) {
  cf.cond_br %which, ^a, ^b
^a:
  %0 = graph.neg_ %x : !graph.tensor<2xf32>
  cf.br ^b
^b:
  return
}
func.func @blocks(%which: i1) -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %a = graph.zeros [2] {dtype = f32}
  %b = graph.ones [2] {dtype = f32}
  call @branches(%a, %which) : (!graph.tensor<2xf32>, i1) -> ()
  return %a, %b : !graph.tensor<2xf32>, !graph.tensor<2xf32>
}
