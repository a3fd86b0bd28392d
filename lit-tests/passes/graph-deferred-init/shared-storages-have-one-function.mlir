// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// Results that may share a storage are made together, also where it depends on the way that is taken, and through each other.
// CHECK-LABEL: func.func @views(
// CHECK-LABEL: func.func @views.fake() -> (!graph.tensor<4xf32> {graph.materialize = @views.materialize_0}, !graph.tensor<2xi64> {graph.materialize = @views.materialize_1}, !graph.tensor<2xf32> {graph.materialize = @views.materialize_0})
// CHECK-NEXT: %[[A:.*]] = graph.fake [4]
// CHECK-NEXT: %[[B:.*]] = graph.fake [2]
// CHECK-NEXT: %[[V:.*]] = graph.slice %[[A]]
// CHECK-NEXT: return %[[A]], %[[B]], %[[V]]
// CHECK-LABEL: func.func @views.materialize_0() -> (!graph.tensor<4xf32>, !graph.tensor<2xf32>)
func.func @views() -> (!graph.tensor<4xf32>, !graph.tensor<2xi64>, !graph.tensor<2xf32>) {
  %a = graph.zeros [4] {dtype = f32}
  %b = graph.zeros [2] {dtype = i64}
  %v = graph.slice %a start [1] end [3] step [1] {dim = 0 : i64} : !graph.tensor<4xf32>
  return %a, %b, %v : !graph.tensor<4xf32>, !graph.tensor<2xi64>, !graph.tensor<2xf32>
}

// CHECK-LABEL: func.func @ways(
// CHECK-LABEL: func.func @ways.fake(
// CHECK-SAME: -> (!graph.tensor<2xf32> {graph.materialize = @ways.materialize_0}, !graph.tensor<2xf32> {graph.materialize = @ways.materialize_0}, !graph.tensor<2xf32> {graph.materialize = @ways.materialize_0})
// CHECK: scf.if
// CHECK-NOT: graph.fake
// CHECK: return
func.func @ways(%which: i1) -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %a = graph.zeros [2] {dtype = f32}
  %b = graph.ones [2] {dtype = f32}
  %e = scf.if %which -> !graph.tensor<2xf32> {
    scf.yield %a : !graph.tensor<2xf32>
  } else {
    scf.yield %b : !graph.tensor<2xf32>
  }
  return %a, %b, %e : !graph.tensor<2xf32>, !graph.tensor<2xf32>, !graph.tensor<2xf32>
}

// What eager would copy is no view: two storages.
// CHECK-LABEL: func.func @copies(
// CHECK-LABEL: func.func @copies.fake() -> (!graph.tensor<2x3xf32> {graph.materialize = @copies.materialize_0}, !graph.tensor<6xf32> {graph.materialize = @copies.materialize_0}, !graph.tensor<6xf32> {graph.materialize = @copies.materialize_1})
func.func @copies() -> (!graph.tensor<2x3xf32>, !graph.tensor<6xf32>, !graph.tensor<6xf32>) {
  %a = graph.zeros [2, 3] {dtype = f32}
  %t = graph.t %a : !graph.tensor<2x3xf32>
  %v = graph.reshape %a shape [6] : !graph.tensor<2x3xf32>
  %c = graph.reshape %t shape [6] : !graph.tensor<3x2xf32>
  return %a, %v, %c : !graph.tensor<2x3xf32>, !graph.tensor<6xf32>, !graph.tensor<6xf32>
}
