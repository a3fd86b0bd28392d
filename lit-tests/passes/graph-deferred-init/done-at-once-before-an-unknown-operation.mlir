// RUN: terrace-opt --graph-deferred-init %s --verify-diagnostics | FileCheck %s

// What has no schema may touch what is there, and may not run twice: all before it runs at once, in order. What is made after it is
// deferred, where it depends on nothing before.
// CHECK-LABEL: func.func @unknown(
// CHECK-LABEL: func.func @unknown.fake() -> (!graph.tensor<2xf32>, !graph.tensor<2xf32> {graph.materialize = @unknown.materialize_0}, !graph.tensor<2xf32>,
// CHECK: %[[A:.*]] = graph.zeros [2]
// CHECK-NEXT: graph.custom @mine::@record()
// CHECK-NEXT: graph.neg_ %[[A]]
// CHECK-NEXT: %[[B:.*]] = graph.fake [2]
// CHECK-NEXT: %[[C:.*]] = graph.exp %[[A]]
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]],
// CHECK-LABEL: func.func @unknown.materialize_0
// CHECK-NOT: graph.custom
// CHECK: graph.ones
// CHECK-NOT: graph.custom
// CHECK: return
func.func @unknown() -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  // expected-warning@+1 {{is not deferred: result 0 depends on an operation that may touch anything, or may be touched by it}}
  %a = graph.zeros [2] {dtype = f32}
  graph.custom @mine::@record() : () -> ()
  %0 = graph.neg_ %a : !graph.tensor<2xf32>
  %b = graph.ones [2] {dtype = f32}
  // expected-warning@+1 {{is not deferred: result 2 depends on}}
  %c = graph.exp %a : !graph.tensor<2xf32>
  return %a, %b, %c : !graph.tensor<2xf32>, !graph.tensor<2xf32>, !graph.tensor<2xf32>
}

// It may have drawn.
// CHECK-LABEL: func.func @draws(
// CHECK-LABEL: func.func @draws.fake
// CHECK: graph.custom
// CHECK: graph.rand
func.func @draws() -> !graph.tensor<2xf32> {
  graph.custom @mine::@record() : () -> ()
  // expected-warning@+1 {{is not deferred: result 0}}
  %a = graph.rand [2] {dtype = f32}
  return %a : !graph.tensor<2xf32>
}

// With a schema it is an operation as any other.
// CHECK-LABEL: func.func @known(
// CHECK-LABEL: func.func @known.fake
// CHECK-NOT: graph.custom
// CHECK-LABEL: func.func @known.materialize_0
// CHECK: graph.custom @mine::@scale_
// CHECK-LABEL: func.func @known.materialize_1
// CHECK-NOT: graph.custom
func.func @known() -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %k = arith.constant 2.0 : f64
  %a = graph.rand [2] {dtype = f32}
  %b = graph.rand [2] {dtype = f32}
  %s = graph.custom @mine::@scale_(%a, %k) {schema = "(Tensor(a!) x, float k) -> Tensor(a!)"} : (!graph.tensor<2xf32>, f64) -> !graph.tensor<2xf32>
  return %a, %b : !graph.tensor<2xf32>, !graph.tensor<2xf32>
}

// Memory of another dialect.
// CHECK-LABEL: func.func @memory(
// CHECK-LABEL: func.func @memory.fake
// CHECK: memref.store
// CHECK: graph.fake
func.func @memory(%m: memref<2xf32>) -> !graph.tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %k = arith.constant 1.0 : f32
  memref.store %k, %m[%c0] : memref<2xf32>
  %a = graph.ones [2] {dtype = f32}
  return %a : !graph.tensor<2xf32>
}
