// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --split-input-file | FileCheck %s

// Of several elements that come to one place the last one stays.
// CHECK-LABEL: func.func @scatter(
// CHECK: loop.reduction and over (%{{.*}} = 3, %{{.*}} = 8)
// CHECK: cf.assert %{{.*}}, "index is out of bounds for dimension 0 with size 4"
// CHECK: loop.scatter ordered (%[[I:.*]] = 3, %[[J:.*]] = 8) into %arg0
// CHECK: %[[AT:.*]] = arith.index_cast
// CHECK: %[[V:.*]] = loop.load %arg2[%[[I]], %[[J]]] : tensor<5x8xf32>
// CHECK: loop.yield %[[V]] at [%[[AT]], %[[J]]] : f32
func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<3x8xi64>, %s: tensor<5x8xf32>) -> tensor<4x8xf32> {
  %0 = functional.scatter.src %x, %i, %s {dim = 0 : i64} : tensor<4x8xf32>, tensor<3x8xi64>, tensor<5x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Where all are the same it does not matter which.
// CHECK-LABEL: func.func @one_number(
// CHECK: loop.scatter (%{{.*}} = 3) into %arg0
func.func @one_number(%x: tensor<4xf32>, %i: tensor<3xi64>) -> tensor<4xf32> {
  %s = arith.constant dense<1.0> : tensor<3xf32>
  %0 = functional.scatter.src %x, %i, %s {dim = 0 : i64} : tensor<4xf32>, tensor<3xi64>, tensor<3xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @scatter_add(
// CHECK: loop.scatter add (%{{.*}} = 3) into %arg0
// CHECK-LABEL: func.func @truths(
// CHECK: loop.scatter or (%{{.*}} = 3) into %arg0
func.func @scatter_add(%x: tensor<4xf32>, %i: tensor<3xi64>, %s: tensor<3xf32>) -> tensor<4xf32> {
  %0 = functional.scatter_add %x, %i, %s {dim = 0 : i64} : tensor<4xf32>, tensor<3xi64>, tensor<3xf32>
  return %0 : tensor<4xf32>
}
func.func @truths(%x: tensor<4xi1>, %i: tensor<3xi64>, %s: tensor<3xi1>) -> tensor<4xi1> {
  %0 = functional.scatter_add %x, %i, %s {dim = 0 : i64} : tensor<4xi1>, tensor<3xi64>, tensor<3xi1>
  return %0 : tensor<4xi1>
}

// -----

// What is there does not count: zeros first, then the sum over the number of elements.
// CHECK-LABEL: func.func @mean(
// CHECK: %[[ZEROS:.*]] = loop.scatter (%{{.*}} = 6) into %arg0
// CHECK: loop.yield %c0_i32 at
// CHECK: %[[SUMS:.*]] = loop.scatter add (%{{.*}} = 6) into %[[ZEROS]]
// CHECK: %[[COUNTS:.*]] = loop.scatter add (%{{.*}} = 6) into
// CHECK: loop.yield %c1_i64 at
// CHECK: %[[S:.*]] = loop.load %[[SUMS]]
// CHECK: %[[C:.*]] = loop.load %[[COUNTS]]
// CHECK: %[[AT_LEAST:.*]] = arith.maxsi %[[C]], %c1_i64
// CHECK: %[[BY:.*]] = arith.trunci %[[AT_LEAST]]
// CHECK: arith.floordivsi %[[S]], %[[BY]]
func.func @mean(%x: tensor<4xi32>, %i: tensor<6xi64>, %s: tensor<6xi32>) -> tensor<4xi32> {
  %0 = functional.scatter_reduce.two %x, %i, %s {dim = 0 : i64, reduce = "mean", include_self = false}
       : tensor<4xi32>, tensor<6xi64>, tensor<6xi32>
  return %0 : tensor<4xi32>
}

// -----

// Indices broadcast; values do to what they choose. Negative ones count from the end.
// CHECK-LABEL: func.func @index_put(
// CHECK: cf.assert %{{.*}}, "index is out of bounds for dimension 0 with size 4"
// CHECK: cf.assert %{{.*}}, "index is out of bounds for dimension 1 with size 5"
// CHECK: loop.scatter add (%[[I:.*]] = 3, %[[J:.*]] = 2, %[[K:.*]] = 6) into %arg0
// CHECK: loop.load %arg3[%[[J]], %[[K]]] : tensor<2x6xf32>
// CHECK: loop.load %arg1[%[[I]], 0] : tensor<3x1xi64>
// CHECK: loop.load %arg2[%[[J]]] : tensor<2xi64>
// CHECK: loop.yield %{{.*}} at [%{{.*}}, %{{.*}}, %[[K]]] : f32
func.func @index_put(%x: tensor<4x5x6xf32>, %i: tensor<3x1xi64>, %j: tensor<2xi64>, %v: tensor<2x6xf32>) -> tensor<4x5x6xf32> {
  %0 = functional.index_put %x[%i, %j], %v {present = array<i1: true, true>, accumulate = true}
       : tensor<4x5x6xf32>[tensor<3x1xi64>, tensor<2xi64>], tensor<2x6xf32>
  return %0 : tensor<4x5x6xf32>
}

// -----

// A mask and one value: no indices.
// CHECK-LABEL: func.func @mask(
// CHECK: loop.pointwise (%[[I:.*]] = 4, %{{.*}} = 5)
// CHECK: %[[HOLDS:.*]] = loop.load %arg1[%[[I]]]
// CHECK: arith.select %[[HOLDS]]
func.func @mask(%x: tensor<4x5xf32>, %m: tensor<4xi1>, %v: tensor<f32>) -> tensor<4x5xf32> {
  %0 = functional.index_put %x[%m], %v {present = array<i1: true, false>} : tensor<4x5xf32>[tensor<4xi1>], tensor<f32>
  return %0 : tensor<4x5xf32>
}

// -----

// The n-th place that holds gets the n-th value: how many hold is checked, and no size depends on it.
// CHECK-LABEL: func.func @values_by_mask(
// CHECK: %[[TOTAL:.*]] = loop.reduction add over (%{{.*}} = 20)
// CHECK: cf.assert %{{.*}}, "shape mismatch: value tensor of 3 elements for what the mask chooses"
// CHECK: loop.scan add (%[[N:.*]] = 20) along %[[N]]
// CHECK: loop.pointwise (%{{.*}} = 4, %{{.*}} = 5)
// CHECK: %[[AT:.*]] = arith.index_cast
// CHECK: loop.load %arg2[%[[AT]]] : tensor<3xf32>
func.func @values_by_mask(%x: tensor<4x5xf32>, %m: tensor<4x5xi1>, %v: tensor<3xf32>) -> tensor<4x5xf32> {
  %0 = functional.index_put %x[%m], %v {present = array<i1: true>, accumulate = true} : tensor<4x5xf32>[tensor<4x5xi1>], tensor<3xf32>
  return %0 : tensor<4x5xf32>
}

// -----

// Of no elements nothing is written; the check comes first.
// CHECK-LABEL: func.func @nothing(
// CHECK: cf.assert
// CHECK-NOT: loop.scatter
// CHECK: return %arg0
func.func @nothing(%x: tensor<0xf32>, %i: tensor<3xi64>, %s: tensor<3xf32>) -> tensor<0xf32> {
  %0 = functional.scatter_add %x, %i, %s {dim = 0 : i64} : tensor<0xf32>, tensor<3xi64>, tensor<3xf32>
  return %0 : tensor<0xf32>
}
