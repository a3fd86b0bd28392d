// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --split-input-file | FileCheck %s

// Rows that are no rows, and the one of the padding, get nothing.
// CHECK-LABEL: func.func @embedding_dense_backward(
// CHECK: loop.scatter add (%[[I:.*]] = 7, %[[J:.*]] = 16) into
// CHECK: %[[INDEX:.*]] = loop.load %arg1[%[[I]]]
// CHECK: arith.cmpi ult, %[[INDEX]], %c10_i64
// CHECK: arith.cmpi ne, %[[INDEX]], %c0_i64
// CHECK: %[[V:.*]] = arith.select
// CHECK: loop.yield %[[V]] at [%{{.*}}, %[[J]]]
func.func @embedding_dense_backward(%g: tensor<7x16xf32>, %i: tensor<7xi64>) -> tensor<10x16xf32> {
  %0 = functional.embedding_dense_backward %g, %i {num_weights = 10 : i64, padding_idx = 0 : i64, scale_grad_by_freq = false}
       : tensor<7x16xf32>, tensor<7xi64>
  return %0 : tensor<10x16xf32>
}

// -----

// The bag of an index is how many bags begin at it or before, less one.
// CHECK-LABEL: func.func @bags(
// CHECK: cf.assert %{{.*}}, "offsets[0] has to be 0
// CHECK: cf.assert %{{.*}}, "offsets[-1] can not be greater than input's length(7)"
// CHECK: cf.assert %{{.*}}, "expects offsets that do not descend"
// CHECK: cf.assert %{{.*}}, "embedding_bag: Expected idx >= 0 && idx < num_embeddings"
// CHECK: loop.reduction add (%[[I:.*]] = 7) over (%[[B:.*]] = 3)
// CHECK: loop.load %arg2[%[[B]]]
// CHECK: loop.scatter add (%{{.*}} = 7) into
// CHECK: loop.scatter add (%{{.*}} = 7, %{{.*}} = 4) into
// CHECK: arith.divf
func.func @bags(%w: tensor<10x4xf32>, %i: tensor<7xi64>, %o: tensor<3xi64>) -> tensor<3x4xf32> {
  %0:4 = functional._embedding_bag %w, %i, %o {mode = 1 : i64} : tensor<10x4xf32>, tensor<7xi64>, tensor<3xi64>
  return %0#0 : tensor<3x4xf32>
}
