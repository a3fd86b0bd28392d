// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// What a round reads an earlier one may have written further down.
// CHECK-LABEL: func.func @rounds(
// CHECK-LABEL: func.func @rounds.materialize_0
// CHECK: scf.for
// CHECK-NEXT: graph.add_
// CHECK-NEXT: graph.normal_
func.func @rounds(%n: index) -> !graph.tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = graph.zeros [3] {dtype = f32}
  %new = graph.zeros [3] {dtype = f32}
  scf.for %i = %c0 to %n step %c1 {
    %0 = graph.add_ %sum, %new : !graph.tensor<3xf32>, !graph.tensor<3xf32>
    %1 = graph.normal_ %new : !graph.tensor<3xf32>
  }
  return %sum : !graph.tensor<3xf32>
}

// Buffers that swap: each is what the other was.
// CHECK-LABEL: func.func @swapped(
// CHECK-LABEL: func.func @swapped.fake
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}})
// CHECK-NEXT: scf.yield %[[Y]], %[[X]]
// CHECK-LABEL: func.func @swapped.materialize_0
// CHECK: scf.for
// CHECK-NEXT: graph.fill_
// CHECK-NEXT: scf.yield
func.func @swapped(%n: index) -> !graph.tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 1.0 : f64
  %a = graph.zeros [3] {dtype = f32}
  %b = graph.zeros [3] {dtype = f32}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>) {
    %0 = graph.fill_ %x, %k : !graph.tensor<3xf32>, f64
    scf.yield %y, %x : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  }
  return %r#0 : !graph.tensor<3xf32>
}

// A condition that elements decide is computed, also for what there is.
// CHECK-LABEL: func.func @until(
// CHECK-LABEL: func.func @until.materialize_0
// CHECK: scf.while
// CHECK: graph.item
// CHECK: scf.condition
// CHECK: graph.neg_
// CHECK: graph.add_
func.func @until() -> !graph.tensor<3xf32> {
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %count = graph.zeros [] {dtype = i64}
  %a = graph.ones [3] {dtype = f32}
  scf.while : () -> () {
    %n = graph.item %count : !graph.tensor<i64>
    %go = arith.cmpi slt, %n, %three : i64
    scf.condition(%go)
  } do {
    %0 = graph.neg_ %a : !graph.tensor<3xf32>
    %1 = graph.add_ %count, %one : !graph.tensor<i64>, i64
    scf.yield
  }
  return %a : !graph.tensor<3xf32>
}
