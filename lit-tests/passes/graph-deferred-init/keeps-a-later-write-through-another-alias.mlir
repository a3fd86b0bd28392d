// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// The result is what the storage holds in the end, whichever alias wrote it: a view made before, a view of a view, one that comes out of
// control flow, one with another dtype.
// CHECK-LABEL: func.func @before(
// CHECK-LABEL: func.func @before.materialize_0
// CHECK: graph.zeros [2, 3]
// CHECK: graph.t
// CHECK: graph.select
// CHECK: graph.fill_
// CHECK: return
func.func @before() -> !graph.tensor<2x3xf32> {
  %k = arith.constant 7.0 : f64
  %0 = graph.zeros [2, 3] {dtype = f32}
  %t = graph.t %0 : !graph.tensor<2x3xf32>
  %row = graph.select %t index [1] {dim = 0 : i64} : !graph.tensor<3x2xf32>
  %w = graph.fill_ %row, %k : !graph.tensor<2xf32>, f64
  return %0 : !graph.tensor<2x3xf32>
}

// CHECK-LABEL: func.func @either(
// CHECK-LABEL: func.func @either.materialize_0
// CHECK: %[[A:.*]] = graph.zeros
// CHECK: %[[B:.*]] = graph.zeros
// CHECK: %[[E:.*]] = scf.if %arg0
// CHECK: graph.neg_ %[[E]]
// CHECK: return %[[A]] :
// CHECK-LABEL: func.func @either.materialize_1
// CHECK: graph.neg_
// CHECK: return
func.func @either(%which: i1) -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %a = graph.zeros [2] {dtype = f32}
  %b = graph.zeros [2] {dtype = f32}
  %e = scf.if %which -> !graph.tensor<2xf32> {
    scf.yield %a : !graph.tensor<2xf32>
  } else {
    scf.yield %b : !graph.tensor<2xf32>
  }
  %w = graph.neg_ %e : !graph.tensor<2xf32>
  return %a, %b : !graph.tensor<2xf32>, !graph.tensor<2xf32>
}

// CHECK-LABEL: func.func @bits(
// CHECK-LABEL: func.func @bits.materialize_0
// CHECK: graph.view.dtype
// CHECK: graph.fill_
// CHECK: return
func.func @bits() -> !graph.tensor<2xf32> {
  %k = arith.constant 1 : i64
  %0 = graph.zeros [2] {dtype = f32}
  %i = graph.view.dtype %0 {dtype = i32} : !graph.tensor<2xf32>
  %w = graph.fill_ %i, %k : !graph.tensor<2xi32>, i64
  return %0 : !graph.tensor<2xf32>
}

// A copy is another storage; its source's later writes are none of its own.
// CHECK-LABEL: func.func @copied(
// CHECK-LABEL: func.func @copied.materialize_0
// CHECK-NOT: graph.neg_
// CHECK: graph.clone
// CHECK-NOT: graph.neg_
// CHECK: return
func.func @copied() -> !graph.tensor<2xf32> {
  %0 = graph.ones [2] {dtype = f32}
  %c = graph.clone %0 : !graph.tensor<2xf32>
  %w = graph.neg_ %0 : !graph.tensor<2xf32>
  return %c : !graph.tensor<2xf32>
}
