// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// Sizes that are computed of numbers are computed; what was taken for granted of them is tested.
// CHECK-LABEL: func.func @wide(
// CHECK-LABEL: func.func @wide.fake(%arg0: i64)
// CHECK: arith.cmpi sgt
// CHECK: cf.assert %{{.*}}, "was deferred for calls where
// CHECK: graph.fake [%arg0, 4]
// CHECK: %[[N:.*]] = arith.muli %arg0
// CHECK: graph.fake [%[[N]]]
// CHECK-LABEL: func.func @wide.materialize_1
// CHECK-NOT: graph.zeros
// CHECK: graph.rand
func.func @wide(%n: i64) -> (!graph.tensor<?x4xf32>, !graph.tensor<?xf32>) {
  %k = arith.constant 3 : i64
  %m = arith.muli %n, %k : i64
  %a = graph.zeros [%n, 4] {dtype = f32}
  %b = graph.rand [%m] {dtype = f32}
  %c = graph.exp %b : !graph.tensor<?xf32>
  return %a, %c : !graph.tensor<?x4xf32>, !graph.tensor<?xf32>
}

// Of an argument: asked before anything changes it.
// CHECK-LABEL: func.func @like(
// CHECK-LABEL: func.func @like.fake(
// CHECK: graph.sym_size %arg0 {dim = 0
// CHECK: graph.fake [%{{.*}}, 3]
func.func @like(%x: !graph.tensor<?x3xf32>) -> !graph.tensor<?x3xf32> {
  %c = graph.zeros_like %x : !graph.tensor<?x3xf32>
  return %c : !graph.tensor<?x3xf32>
}
