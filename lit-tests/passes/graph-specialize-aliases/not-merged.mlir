// RUN: terrace-opt %s --graph-specialize-aliases=variants=disjoint,same | FileCheck %s

// Two arguments can be one view, but of two tensor objects: only one of them may be a result, through in-place operations and
// control flow too, and none may change its sizes.

// CHECK-LABEL: func.func @"the one that is returned stays"(
// CHECK: call @"the one that is returned stays.same_0_1"
// CHECK-LABEL: func.func private @"the one that is returned stays.same_0_1"(
// CHECK-SAME: %{{[a-z0-9]+}}: !graph.tensor<4xf32>, %[[Y:[a-z0-9]+]]: !graph.tensor<4xf32> {graph.storage = "arg1"}
// CHECK: graph.add_ %[[Y]], %[[Y]]
// CHECK: return %[[Y]]
func.func @"the one that is returned stays"(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %y : !graph.tensor<4xf32>
}

// A view is a new object each time.
// CHECK-LABEL: func.func @views(
// CHECK: call @views.same_0_1
// CHECK-LABEL: func.func private @views.same_0_1(
func.func @views(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %a = graph.alias %x : !graph.tensor<4xf32>
  %b = graph.alias %y : !graph.tensor<4xf32>
  return %a, %b : !graph.tensor<4xf32>, !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @both(
// CHECK-NOT: .same_
// CHECK: call @both.general
func.func @both(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %y, %w : !graph.tensor<4xf32>, !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @either(
// CHECK-NOT: .same_
// CHECK: call @either.general
func.func @either(%c: i1, %x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %e = arith.select %c, %x, %y : !graph.tensor<4xf32>
  %r = graph.relu_ %e : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @changed(
// CHECK-NOT: .same_
// CHECK: call @changed.general
func.func @changed(%x: !graph.tensor<4x4xf32>, %y: !graph.tensor<4x4xf32>) {
  %t = graph.t_ %x : !graph.tensor<4x4xf32>
  %w = graph.add_ %t, %y : !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>
  return
}

// What is changed may be the argument itself, by a way of control flow and by strides.
// CHECK-LABEL: func.func @changed_maybe(
// CHECK-NOT: .same_
// CHECK: call @changed_maybe.general
func.func @changed_maybe(%x: !graph.tensor<4x4xf32> {graph.layout = "any"}, %y: !graph.tensor<4x4xf32> {graph.layout = "any"}, %c: i1) {
  %e = arith.select %c, %x, %y : !graph.tensor<4x4xf32>
  %k = graph.contiguous %e : !graph.tensor<4x4xf32>
  %t = graph.t_ %k : !graph.tensor<4x4xf32>
  %w = graph.add_ %x, %y : !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>
  return
}

// So may results.
// CHECK-LABEL: func.func @given_maybe(
// CHECK-NOT: .same_
// CHECK: call @given_maybe.general
func.func @given_maybe(%x: !graph.tensor<4x4xf32> {graph.layout = "any"}, %y: !graph.tensor<4x4xf32> {graph.layout = "any"}) -> (!graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>) {
  %w = graph.add_ %x, %y : !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>
  %k = graph.contiguous %x : !graph.tensor<4x4xf32>
  return %k, %y : !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>
}

// CHECK-LABEL: func.func @layouts(
// CHECK-NOT: .same_
// CHECK: call @layouts.general
func.func @layouts(%x: !graph.tensor<4x4xf32>, %y: !graph.tensor<4x4xf32> {graph.layout = strided<[1, 4]>}) {
  %w = graph.add_ %x, %y : !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>
  return
}
