// RUN: terrace-opt %s --graph-functionalize --split-input-file | FileCheck %s

// A vector of indices becomes an index for each element of the slices.
// CHECK-LABEL: func.func private @index_select.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4x3xf32>, %[[I:.*]]: tensor<2xi64>)
// CHECK: %[[V:.*]] = functional.view %[[I]] size [2, 1]
// CHECK: %[[E:.*]] = functional.expand %[[V]] size [2, 3]
// CHECK: functional.gather %[[X]], %[[E]] {dim = 0 : i64}
func.func @index_select(%x: !graph.tensor<4x3xf32>, %i: !graph.tensor<2xi64>) -> !graph.tensor<2x3xf32> {
  %0 = graph.index_select %x, %i {dim = 0} : !graph.tensor<4x3xf32>, !graph.tensor<2xi64>
  return %0 : !graph.tensor<2x3xf32>
}

// -----

// What is written is a part of the storage.
// CHECK-LABEL: func.func private @scatter.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4x3xf32>, %[[I:.*]]: tensor<2xi64>)
// CHECK: %[[R:.*]] = functional.select %[[X]] index [1]
// CHECK: %[[F:.*]] = functional.full %{{.*}} : f64 to tensor<2xf32>
// CHECK: %[[S:.*]] = functional.scatter.src %[[R]], %[[I]], %[[F]] {dim = 0 : i64}
// CHECK: return %[[S]]
func.func @scatter(%x: !graph.tensor<4x3xf32> {graph.storage = "x"}, %i: !graph.tensor<2xi64> {graph.storage = "i"}) {
  %k = arith.constant 2.0 : f64
  %row = graph.select %x index [1] {dim = 0} : !graph.tensor<4x3xf32>
  %0 = graph.scatter_.value %row, %i, %k {dim = 0} : !graph.tensor<3xf32>, !graph.tensor<2xi64>, f64
  return
}

// -----

// CHECK-LABEL: func.func private @index_add.core
// CHECK: %[[S:.*]] = functional.mul %{{.*}}, %{{.*}} : tensor<2x3xf32>, tensor<2x3xf32>
// CHECK: functional.scatter_add %{{.*}}, %{{.*}}, %[[S]] {dim = 0 : i64}
func.func @index_add(%x: !graph.tensor<4x3xf32>, %i: !graph.tensor<2xi64>, %s: !graph.tensor<2x3xf32>) -> !graph.tensor<4x3xf32> {
  %k = arith.constant 2.0 : f64
  %0 = graph.index_add %x, %i, %s alpha %k : f64 {dim = 0} : !graph.tensor<4x3xf32>, !graph.tensor<2xi64>, !graph.tensor<2x3xf32>
  return %0 : !graph.tensor<4x3xf32>
}

// -----

// Places beyond a dimension are brought within it, and what the mask leaves out is 0.
// CHECK-LABEL: func.func private @masked.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4xf32>, %[[M:.*]]: tensor<3xi1>, %[[I:.*]]: tensor<3xi64>, %[[V:.*]]: tensor<3xf32>)
// CHECK: %[[LOW:.*]] = functional.maximum %[[I]]
// CHECK: %[[HIGH:.*]] = functional.minimum %[[LOW]]
// CHECK: %[[W:.*]] = functional.where %[[M]], %[[V]], %{{.*}}
// CHECK: functional.index_put %[[X]][%[[HIGH]]], %[[W]] {accumulate = true, present = array<i1: true>}
func.func @masked(%x: !graph.tensor<4xf32>, %m: !graph.tensor<3xi1>, %i: !graph.tensor<3xi64>, %v: !graph.tensor<3xf32>) -> !graph.tensor<4xf32> {
  %0 = graph._unsafe_masked_index_put_accumulate %x, %m[%i], %v {present = array<i1: true>}
      : !graph.tensor<4xf32>, !graph.tensor<3xi1>[!graph.tensor<3xi64>], !graph.tensor<3xf32>
  return %0 : !graph.tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @clamp.core
// CHECK: %[[MAX:.*]] = functional.maximum %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>
// CHECK: functional.minimum %[[MAX]], %{{.*}} : tensor<4xf32>, tensor<4xf32>
func.func @clamp(%x: !graph.tensor<4xf32>) {
  %low = arith.constant 0 : i64
  %high = arith.constant 6 : i64
  %0 = graph.clamp_ %x min %low : i64 max %high : i64 : !graph.tensor<4xf32>
  return
}

// -----

// CHECK-LABEL: func.func private @std.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4x3xf32>)
// CHECK: %[[M:.*]] = functional.mean %[[X]] {dim = array<i64: 1>, keepdim = true}
// CHECK: %[[E:.*]] = functional.expand %[[M]] size [4, 3]
// CHECK: %[[D:.*]] = functional.sub %[[X]], %[[E]]
// CHECK: %[[Q:.*]] = functional.mul %[[D]], %[[D]]
// CHECK: %[[S:.*]] = functional.sum %[[Q]] {dim = array<i64: 1>
// CHECK: %[[V:.*]] = functional.div %[[S]], %{{.*}}
// CHECK: functional.sqrt %[[V]]
func.func @std(%x: !graph.tensor<4x3xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.std %x {dim = array<i64: 1>} : !graph.tensor<4x3xf32>
  return %0 : !graph.tensor<4xf32>
}
