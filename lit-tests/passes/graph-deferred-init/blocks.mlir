// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// Branches stay, with what they pass that is needed; of a storage all writes are kept, for there is no order.
// CHECK-LABEL: func.func @blocks(
// CHECK-LABEL: func.func @blocks.fake
// CHECK: cf.cond_br %arg0, ^[[A:bb[0-9]+]], ^[[B:bb[0-9]+]](%{{.*}}, %{{.*}} :
// CHECK: ^[[A]]:
// CHECK-NEXT: %[[N:.*]] = graph.fake
// CHECK-NEXT: graph.skip_draws 1
// CHECK-NEXT: cf.br ^[[B]](%[[N]]
// CHECK: ^[[B]](%[[R:[0-9]+]]: !graph.tensor<2xf32>, %[[O:[0-9]+]]: !graph.tensor<3xf32>):
// CHECK-NEXT: return %[[R]], %[[O]]
// CHECK-LABEL: func.func @blocks.materialize_0
// CHECK: graph.zeros
// CHECK: cf.cond_br %arg0, ^{{.*}}, ^{{.*}}(%{{[0-9]+}} : !graph.tensor<2xf32>)
// CHECK: graph.rand
// CHECK: graph.neg_
// CHECK: graph.set_generator_state
// CHECK-LABEL: func.func @blocks.materialize_1
// CHECK-NOT: graph.rand
// CHECK-NOT: graph.neg_
// CHECK: graph.ones
func.func @blocks(%which: i1) -> (!graph.tensor<2xf32>, !graph.tensor<3xf32>) {
  %a = graph.zeros [2] {dtype = f32}
  %o = graph.ones [3] {dtype = f32}
  cf.cond_br %which, ^a, ^b(%a, %o : !graph.tensor<2xf32>, !graph.tensor<3xf32>)
^a:
  %r = graph.rand [2] {dtype = f32}
  cf.br ^b(%r, %o : !graph.tensor<2xf32>, !graph.tensor<3xf32>)
^b(%x: !graph.tensor<2xf32>, %y: !graph.tensor<3xf32>):
  %0 = graph.neg_ %x : !graph.tensor<2xf32>
  return %x, %y : !graph.tensor<2xf32>, !graph.tensor<3xf32>
}
