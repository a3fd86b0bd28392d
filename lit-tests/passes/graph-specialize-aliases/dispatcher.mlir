// RUN: terrace-opt %s --graph-specialize-aliases | FileCheck %s

// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<4xf32>, %[[Y:[a-z0-9]+]]: !graph.tensor<4xf32>
// CHECK-SAME: -> !graph.tensor<4xf32> attributes {graph.eager}
// CHECK-NEXT: %[[D:.*]] = graph.check_disjoint %[[X]], %[[Y]] :
// CHECK-NEXT: %[[R:.*]] = scf.if %[[D]] -> (!graph.tensor<4xf32>) {
// CHECK-NEXT:   %[[A:.*]] = func.call @accumulate.disjoint(%[[X]], %[[Y]])
// CHECK-NEXT:   scf.yield %[[A]]
// CHECK-NEXT: } else {
// CHECK-NEXT:   %[[B:.*]] = func.call @accumulate.general(%[[X]], %[[Y]])
// CHECK-NEXT:   scf.yield %[[B]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @accumulate.disjoint(
// CHECK-SAME: {graph.storage = "arg0"}
// CHECK-SAME: {graph.storage = "arg1"}
// CHECK-NOT: graph.eager
// CHECK: graph.add_
// CHECK: func.func private @accumulate.general(
// CHECK-NOT: graph.storage
// CHECK-SAME: attributes {graph.eager}
// CHECK-NEXT: graph.add_
func.func @accumulate(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %w : !graph.tensor<4xf32>
}

// Results of any number pass through, and so do numbers; names that are taken are left alone.
// CHECK-LABEL: func.func @taken.disjoint()
func.func @taken.disjoint() {
  return
}

// CHECK-LABEL: func.func @taken(
// CHECK: scf.if %{{.*}} -> (!graph.tensor<f32>, !graph.tensor<4xf32>, f64) {
// CHECK-NEXT: %[[R:.*]]:3 = func.call @taken.disjoint_0(
// CHECK-NEXT: scf.yield %[[R]]#0, %[[R]]#1, %[[R]]#2
// CHECK: func.func private @taken.disjoint_0(
// CHECK-SAME: %{{.*}}: f64
// CHECK-SAME: {graph.layout = "any", graph.storage = "arg1"}
// CHECK-SAME: {graph.storage = "arg2_0"}
// CHECK-SAME: {graph.storage = "arg2"}
func.func @taken(%k: f64, %x: !graph.tensor<4xf32> {graph.layout = "any"}, %y: !graph.tensor<4xf32>,
                 %z: !graph.tensor<4xf32> {graph.storage = "arg2"})
    -> (!graph.tensor<f32>, !graph.tensor<4xf32>, f64) {
  %w = graph.mul_ %x, %k : !graph.tensor<4xf32>, f64
  %v = graph.mul_ %z, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %s = graph.sum %y : !graph.tensor<4xf32>
  return %s, %x, %k : !graph.tensor<f32>, !graph.tensor<4xf32>, f64
}

// CHECK-LABEL: func.func @nothing(
// CHECK: scf.if %{{.*}} {
// CHECK-NEXT: func.call @nothing.disjoint
// CHECK-NEXT: } else {
// CHECK-NEXT: func.call @nothing.general
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @nothing(%x: !graph.tensor<4xf32>, %y: !graph.tensor<2xi64>) {
  %w = graph.zero_ %x : !graph.tensor<4xf32>
  %v = graph.zero_ %y : !graph.tensor<2xi64>
  return
}

// A module inside has functions of its own.
// CHECK: module @inside
module @inside {
  // CHECK-LABEL: func.func @accumulate(
  // CHECK: call @accumulate.disjoint
  func.func @accumulate(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) {
    %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
    return
  }
}
