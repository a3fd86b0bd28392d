// RUN: terrace-opt %s --graph-functionalize --split-input-file | FileCheck %s

// Eager compares strides to lay out what an index gives: the first case that holds says how, and where none does the function is another one.
// CHECK-LABEL: func.func @indexed(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<3x4x2xf32>
// CHECK: graph.sym_stride %[[X]] {dim = 0 : i64}
// CHECK: %[[FORESEEN:.*]] = arith.ori
// CHECK: scf.if %[[FORESEEN]]
// CHECK: func.call @indexed.sized
// CHECK: func.call @indexed.general
// CHECK-LABEL: func.func private @indexed.sized(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<3x4x2xf32>
// CHECK: %[[S:.*]] = graph.sym_stride %[[X]] {dim = 0 : i64}
// CHECK: arith.cmpi
// CHECK-NOT: cf.assert
// CHECK: %[[FLAT:.*]] = graph.new_storage [40] {dtype = f32}
// CHECK: %[[NEW:.*]] = graph.as_strided %[[FLAT]] size [5, 4, 2] stride [%{{.*}}, %{{.*}}, %{{.*}}] storage_offset [0]
// CHECK: graph.write_back %{{.*}} into %[[NEW]]
// CHECK: return %[[NEW]]
func.func @indexed(%x: !graph.tensor<3x4x2xf32> {graph.layout = "any"}, %i: !graph.tensor<5xi64>) -> !graph.tensor<5x4x2xf32> {
  %0 = graph.index %x[%i] {present = array<i1: true>} : !graph.tensor<3x4x2xf32>[!graph.tensor<5xi64>]
  return %0 : !graph.tensor<5x4x2xf32>
}

// -----

// Of what is made on the way strides are looked at, in a function that makes it for that alone.
// CHECK-LABEL: func.func @indexed_of_a_result(
// CHECK: %[[FORESEEN:.*]] = call @indexed_of_a_result.foreseen(%arg0, %arg1)
// CHECK: scf.if %[[FORESEEN]]
// CHECK: func.call @indexed_of_a_result.sized
// CHECK: func.call @indexed_of_a_result.general
// CHECK-LABEL: func.func private @indexed_of_a_result.foreseen(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<3x4x2xf32> {graph.layout = "any"}
// CHECK-NOT: graph.value
// CHECK: %[[NEW:.*]] = graph.new_storage [3, 4, 2] like %[[X]]
// CHECK: graph.sym_stride %[[NEW]]
// CHECK: %[[HOLDS:.*]] = arith.ori
// CHECK: return %[[HOLDS]] : i1
// CHECK-LABEL: func.func private @indexed_of_a_result.sized(
func.func @indexed_of_a_result(%x: !graph.tensor<3x4x2xf32> {graph.layout = "any"}, %i: !graph.tensor<5xi64>) -> !graph.tensor<5x4x2xf32> {
  %0 = graph.neg %x : !graph.tensor<3x4x2xf32>
  %1 = graph.index %0[%i] {present = array<i1: true>} : !graph.tensor<3x4x2xf32>[!graph.tensor<5xi64>]
  return %1 : !graph.tensor<5x4x2xf32>
}

// -----

// Of what is made by a case both are looked at.
// CHECK-LABEL: func.func @indexed_twice(
// CHECK: %[[FIRST:.*]] = arith.ori
// CHECK: %[[BOTH:.*]] = scf.if %[[FIRST]] -> (i1)
// CHECK: func.call @indexed_twice.foreseen(
// CHECK: } else {
// CHECK: arith.constant false
// CHECK: scf.if %[[BOTH]]
// CHECK-LABEL: func.func private @indexed_twice.foreseen(
// CHECK: %[[NEW:.*]] = graph.as_strided
// CHECK: graph.sym_stride %[[NEW]]
func.func @indexed_twice(%x: !graph.tensor<3x4x2xf32> {graph.layout = "any"}, %i: !graph.tensor<5xi64>) -> !graph.tensor<5x4x2xf32> {
  %0 = graph.index %x[%i] {present = array<i1: true>} : !graph.tensor<3x4x2xf32>[!graph.tensor<5xi64>]
  %1 = graph.index %0[%i] {present = array<i1: true>} : !graph.tensor<5x4x2xf32>[!graph.tensor<5xi64>]
  return %1 : !graph.tensor<5x4x2xf32>
}

// -----

// What is made of it has strides like it.
// CHECK-LABEL: func.func private @made_of_it.sized
// CHECK: %[[NEW:.*]] = graph.as_strided
// CHECK: graph.new_storage [5, 4] like %[[NEW]]
func.func @made_of_it(%x: !graph.tensor<3x4xf32> {graph.layout = "any"}, %i: !graph.tensor<5xi64>) -> !graph.tensor<5x4xf32> {
  %0 = graph.index %x[%i] {present = array<i1: true>} : !graph.tensor<3x4xf32>[!graph.tensor<5xi64>]
  %1 = graph.neg %0 : !graph.tensor<5x4xf32>
  return %1 : !graph.tensor<5x4xf32>
}

// -----

// Where a library decides there is no case: volumes with channels innermost.
// CHECK-LABEL: func.func @volumes
// CHECK: scf.if
// CHECK-LABEL: func.func private @volumes.sized
// CHECK: graph.as_strided %{{.*}} size [2, 8, 3, 3, 3]
func.func @volumes(%x: !graph.tensor<2x4x5x5x5xf32> {graph.layout = "any"}, %w: !graph.tensor<8x4x3x3x3xf32>) -> !graph.tensor<2x8x3x3x3xf32> {
  %0 = graph.convolution %x, %w {stride = array<i64: 1>, padding = array<i64: 0>, dilation = array<i64: 1>, output_padding = array<i64: 0>}
    : !graph.tensor<2x4x5x5x5xf32>, !graph.tensor<8x4x3x3x3xf32>
  return %0 : !graph.tensor<2x8x3x3x3xf32>
}

// -----

// Strides of views of sizes of the run are those of what they view.
// CHECK-LABEL: func.func @viewed
// CHECK: %[[INNER:.*]] = graph.sym_stride %arg0 {dim = 1 : i64}
// CHECK: graph.as_strided %arg0 size [%{{.*}}, %{{.*}}] stride [%[[INNER]], %{{.*}}]
func.func @viewed(%x: !graph.tensor<?x?xf32> {graph.layout = "any"}) -> !graph.tensor<?x?xf32> {
  %0 = graph.t %x : !graph.tensor<?x?xf32>
  return %0 : !graph.tensor<?x?xf32>
}
