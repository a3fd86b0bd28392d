// Guards that a function has stay in front, and what they are computed of with them.
// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func private @first.core(
// CHECK-NOT: graph.guard
// CHECK: functional.select
// CHECK: func.func @first(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<?xf32>
// CHECK-NEXT: %[[C:.*]] = arith.constant 1 : i64
// CHECK-NEXT: %[[N:.*]] = graph.sym_size %[[X]] {dim = 0 : i64}
// CHECK-NEXT: %[[G:.*]] = arith.cmpi sgt, %[[N]], %[[C]]
// CHECK-NEXT: graph.guard %[[G]], "there are two elements"
// CHECK: graph.guard %{{.*}}, "1 < s0, where s0 is size 0 of argument 0"
// CHECK-NEXT: graph.value
func.func @first(%x: !graph.tensor<?xf32>) -> !graph.tensor<f32> {
  %one = arith.constant 1 : i64
  %n = graph.sym_size %x {dim = 0 : i64} : !graph.tensor<?xf32>
  %two = arith.cmpi sgt, %n, %one : i64
  graph.guard %two, "there are two elements"
  %0 = graph.select %x index [%one] {dim = 0 : i64} : !graph.tensor<?xf32>
  %1 = graph.exp %0 : !graph.tensor<f32>
  return %1 : !graph.tensor<f32>
}

// -----

func.func @"not-behind-a-write"(%x: !graph.tensor<4xf32>, %c: i1) {
  %0 = graph.neg_ %x : !graph.tensor<4xf32>
  // expected-error @+1 {{'graph.guard' op stands behind what may write: guards come first, and are computed of arguments alone}}
  graph.guard %c, "it may be negated"
  return
}
