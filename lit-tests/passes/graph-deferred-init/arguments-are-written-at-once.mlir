// RUN: terrace-opt --graph-deferred-init %s --verify-diagnostics | FileCheck %s

// What the caller sees of arguments happens in @f.fake; a result that is a view of one is no fake tensor. What is deferred gets the
// argument as it was, and writes it again.
// CHECK-LABEL: func.func @written(
// CHECK-LABEL: func.func @written.fake(
// CHECK-SAME: -> (!graph.tensor<2xf32> {graph.materialize = @written.materialize_0}, !graph.tensor<2xf32>)
// CHECK-NEXT: graph.neg_ %[[X:.*]] :
// CHECK-NEXT: %[[A:.*]] = graph.fake
// CHECK-NEXT: graph.exp_ %[[X]]
// CHECK-NEXT: return %[[A]], %[[X]]
// CHECK-LABEL: func.func @written.materialize_0
// CHECK-NEXT: graph.neg_ %arg0
// CHECK-NEXT: graph.add %arg0, %arg0
// CHECK-NOT: graph.exp_
// CHECK: return
func.func @written(%x: !graph.tensor<2xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %0 = graph.neg_ %x : !graph.tensor<2xf32>
  %a = graph.add %x, %x : !graph.tensor<2xf32>, !graph.tensor<2xf32>
  %1 = graph.exp_ %x : !graph.tensor<2xf32>
  return %a, %x : !graph.tensor<2xf32>, !graph.tensor<2xf32>
}

// A new tensor that an argument gets is made at once, and so is all that is in it.
// CHECK-LABEL: func.func @through(
// CHECK-LABEL: func.func @through.fake
// CHECK: graph.rand
// CHECK: graph.copy_
// CHECK: graph.zero_
// CHECK: return
func.func @through(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> {
  // expected-warning@+1 {{is not deferred: result 0 is needed, or its sizes are not known without it}}
  %a = graph.rand [2] {dtype = f32}
  %0 = graph.copy_ %x, %a : !graph.tensor<2xf32>, !graph.tensor<2xf32>
  %1 = graph.zero_ %a : !graph.tensor<2xf32>
  return %a : !graph.tensor<2xf32>
}

// A result that is an argument on one way.
// CHECK-LABEL: func.func @either(
// CHECK-LABEL: func.func @either.fake(
// CHECK-SAME: -> !graph.tensor<2xf32> {
// CHECK: graph.ones
// CHECK-NOT: func.func @either.materialize
func.func @either(%x: !graph.tensor<2xf32>, %which: i1) -> !graph.tensor<2xf32> {
  %a = graph.ones [2] {dtype = f32}
  %s = arith.select %which, %a, %x : !graph.tensor<2xf32>
  return %s : !graph.tensor<2xf32>
}

// A test refuses when it would have refused.
// CHECK-LABEL: func.func @tested(
// CHECK-LABEL: func.func @tested.fake
// CHECK: cf.assert
// CHECK-LABEL: func.func @tested.materialize_0
// CHECK-NOT: cf.assert
func.func @tested(%ok: i1) -> !graph.tensor<2xf32> {
  cf.assert %ok, "not ok"
  %a = graph.ones [2] {dtype = f32}
  return %a : !graph.tensor<2xf32>
}
