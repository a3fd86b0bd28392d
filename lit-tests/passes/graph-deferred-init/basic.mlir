// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// CHECK-LABEL: func.func @init(
// CHECK-LABEL: func.func @init.fake()
// CHECK-SAME: -> (!graph.tensor<4x4xf32> {graph.materialize = @init.materialize_0}, !graph.tensor<4xf32> {graph.materialize = @init.materialize_1}, !graph.tensor<4x4xf32> {graph.materialize = @init.materialize_0}, i64 {graph.generator_state}, i64 {graph.generator_state})
// CHECK-NEXT: %[[SEED:.*]], %[[DRAWN:.*]] = graph.generator_state
// CHECK-NEXT: %[[W:.*]] = graph.fake [4, 4] {dtype = f32}
// CHECK-NEXT: %[[B:.*]] = graph.fake [4] {dtype = f32}
// CHECK-NEXT: %[[T:.*]] = graph.t %[[W]]
// CHECK-NEXT: graph.skip_draws 2
// CHECK-NEXT: return %[[W]], %[[B]], %[[T]], %[[SEED]], %[[DRAWN]]
// CHECK-LABEL: func.func @init.materialize_0(
// CHECK-SAME: %[[S:.*]]: i64, %[[D:.*]]: i64) -> (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>)
// CHECK-NEXT: %[[SEED:.*]], %[[DRAWN:.*]] = graph.generator_state
// CHECK-NEXT: graph.set_generator_state %[[S]], %[[D]]
// CHECK-NEXT: arith.constant 5.0
// CHECK-NEXT: graph.empty [4, 4]
// CHECK-NEXT: %[[W:.*]] = graph.normal_
// CHECK-NEXT: %[[T:.*]] = graph.t %[[W]]
// CHECK-NEXT: graph.select %[[T]]
// CHECK-NEXT: graph.mul_
// CHECK-NEXT: graph.set_generator_state %[[SEED]], %[[DRAWN]]
// CHECK-NEXT: return %[[W]], %[[T]]
// CHECK-LABEL: func.func @init.materialize_1(
// CHECK: graph.set_generator_state
// CHECK-NEXT: %[[E:.*]] = graph.empty [4]
// CHECK-NEXT: graph.skip_draws 1
// CHECK-NEXT: %[[B:.*]] = graph.uniform_ %[[E]]
// CHECK-NEXT: graph.set_generator_state
// CHECK-NEXT: return %[[B]]
func.func @init() -> (!graph.tensor<4x4xf32>, !graph.tensor<4xf32>, !graph.tensor<4x4xf32>) {
  %half = arith.constant 5.0e-01 : f64
  %0 = graph.empty [4, 4]
  %weight = graph.normal_ %0 : !graph.tensor<4x4xf32>
  %1 = graph.empty [4]
  %bias = graph.uniform_ %1 : !graph.tensor<4xf32>
  %tied = graph.t %weight : !graph.tensor<4x4xf32>
  %row = graph.select %tied index [0] {dim = 0 : i64} : !graph.tensor<4x4xf32>
  %2 = graph.mul_ %row, %half : !graph.tensor<4xf32>, f64
  return %weight, %bias, %tied : !graph.tensor<4x4xf32>, !graph.tensor<4xf32>, !graph.tensor<4x4xf32>
}

// What draws nothing says nothing of the generator; what returns no tensor is left alone, and so is what is private.
// CHECK-LABEL: func.func @zeros(
// CHECK-LABEL: func.func @zeros.fake() -> (!graph.tensor<2xi64> {graph.materialize = @zeros.materialize_0})
// CHECK-NEXT: %[[F:.*]] = graph.fake [2] {dtype = i64}
// CHECK-NEXT: return %[[F]]
// CHECK-NOT: func.func @number.fake
// CHECK-NOT: func.func @hidden.fake
func.func @zeros() -> !graph.tensor<2xi64> {
  %0 = graph.zeros [2] {dtype = i64}
  return %0 : !graph.tensor<2xi64>
}
func.func @number() -> i64 {
  %0 = arith.constant 1 : i64
  return %0 : i64
}
func.func private @hidden() -> !graph.tensor<2xi64> {
  %0 = graph.zeros [2] {dtype = i64}
  return %0 : !graph.tensor<2xi64>
}
