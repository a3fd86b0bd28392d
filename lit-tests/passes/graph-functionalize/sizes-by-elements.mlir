// A size that elements decide is known behind the operation that makes it: no guard is needed for what goes on with it.
// RUN: terrace-opt %s --graph-functionalize | FileCheck %s
// RUN: terrace-check %s --runs 30

// Where the strides of a column depend on how many rows there are nobody can tell: it has one column.
// CHECK-LABEL: func.func private @nonzero.core(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>
// CHECK: %[[I:.*]] = functional.nonzero %[[X]]
// CHECK: %[[D:.*]] = tensor.dim %[[I]], %{{.*}}
// CHECK: %[[N:.*]] = arith.index_cast %[[D]]
// CHECK: functional.full %{{.*}} size(%[[N]]) : i64 to tensor<?x1xi64>
// CHECK-LABEL: func.func @nonzero(
// CHECK: %[[C:.*]] = call @nonzero.core
// CHECK: graph.fresh %[[C]]
func.func @nonzero(%x: !graph.tensor<?xf32>) -> !graph.tensor<?x1xi64> {
  %k = arith.constant 2 : i64
  %i = graph.nonzero %x : !graph.tensor<?xf32>
  %y = graph.mul %i, %k : !graph.tensor<?x1xi64>, i64
  return %y : !graph.tensor<?x1xi64>
}

// CHECK-LABEL: func.func private @masked_select.core(
// CHECK: functional.masked_select
// CHECK: functional.exp
// CHECK-LABEL: func.func @masked_select(
// CHECK-NOT: scf.if
// CHECK: graph.fresh %{{.*}} : tensor<?xf32>
func.func @masked_select(%x: !graph.tensor<?x3xf32>) -> (!graph.tensor<?xf32>, !graph.tensor<f32>) {
  %zero = arith.constant 0.0 : f64
  %m = graph.gt %x, %zero : !graph.tensor<?x3xf32>, f64
  %y = graph.masked_select %x, %m : !graph.tensor<?x3xf32>, !graph.tensor<?x3xi1>
  %z = graph.exp_ %y : !graph.tensor<?xf32>
  %s = graph.sum %y : !graph.tensor<?xf32>
  return %y, %s : !graph.tensor<?xf32>, !graph.tensor<f32>
}

// A mask stands for the indices of its true elements.
// CHECK-LABEL: func.func private @mask.core(
// CHECK: functional.index %{{.*}}[%{{.*}}] {{.*}} : tensor<4x3xf32>[tensor<4x3xi1>]
func.func @mask(%x: !graph.tensor<4x3xf32>) -> !graph.tensor<?xf32> {
  %zero = arith.constant 0.0 : f64
  %m = graph.gt %x, %zero : !graph.tensor<4x3xf32>, f64
  %y = graph.index %x[%m] {present = array<i1: true>} : !graph.tensor<4x3xf32>[!graph.tensor<4x3xi1>]
  %z = graph.neg_ %y : !graph.tensor<?xf32>
  return %y : !graph.tensor<?xf32>
}

// As many as another index has: the type says how many.
// CHECK-LABEL: func.func private @mask_and_index.core(
// CHECK: functional.index
func.func @mask_and_index(%x: !graph.tensor<3x2x1xf32>, %i: !graph.tensor<2xi64>, %m: !graph.tensor<2x1xi1>) -> !graph.tensor<2xf32> {
  %0 = graph.index %x [%i, %m] {present = array<i1: true, true>} : !graph.tensor<3x2x1xf32> [!graph.tensor<2xi64>, !graph.tensor<2x1xi1>]
  return %0 : !graph.tensor<2xf32>
}
