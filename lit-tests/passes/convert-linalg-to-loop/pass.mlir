// Maps become expressions of loads; dimensions of reduction a combination.

// RUN: terrace-opt %s --convert-linalg-to-loop | FileCheck %s

// What is filled with zeros is not computed for itself, if nobody else wants it.
// CHECK-LABEL: func.func @matmul(
//  CHECK-SAME: %[[A:.*]]: tensor<4x5xf32>, %[[B:.*]]: tensor<5x6xf32>, %[[E:.*]]: tensor<4x6xf32>)
//       CHECK:   %[[R:.*]] = loop.reduction add (%[[I:.*]] = 4, %[[J:.*]] = 6) over (%[[K:.*]] = 5) into %[[E]]
//       CHECK:     loop.load %[[A]][%[[I]], %[[K]]]
//       CHECK:     loop.load %[[B]][%[[K]], %[[J]]]
//       CHECK:   return %[[R]]
func.func @matmul(%a: tensor<4x5xf32>, %b: tensor<5x6xf32>, %e: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<5x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// On memrefs, what is filled right before.
// CHECK-LABEL: func.func @filled_matmul(
//   CHECK-NOT:   loop.pointwise
//       CHECK:   loop.reduction add (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) over (%{{.*}} = %{{.*}}) into
//   CHECK-NOT:   loop.group
func.func @filled_matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32>)
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// Otherwise each point combines with what it finds.
// CHECK-LABEL: func.func @matmul_onto(
//  CHECK-SAME: %{{.*}}, %{{.*}}, %[[C:.*]]: memref<4x6xf32>)
//       CHECK:   loop.group (%[[I:.*]] = 4, %[[J:.*]] = 6) into (%[[C]] as %[[P:.*]] : memref<4x6xf32>)
//       CHECK:     %[[S:.*]] = loop.reduction add over (%{{.*}} = 5)
//       CHECK:     %[[OLD:.*]] = loop.load %[[C]][%[[I]], %[[J]]]
//       CHECK:     arith.addf %[[OLD]], %[[S]]
func.func @matmul_onto(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  linalg.matmul ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// Windows, strides and broadcasts are expressions.
// CHECK-LABEL: func.func @convolution(
//       CHECK:   loop.reduction add (%[[N:.*]] = 1, %[[Y:.*]] = 3, %[[X:.*]] = 3, %[[O:.*]] = 4) over (%[[H:.*]] = 3, %[[W:.*]] = 3, %[[C:.*]] = 2)
//       CHECK:     loop.load %{{.*}}[%[[N]], %[[Y]] * 2 + %[[H]], %[[X]] * 2 + %[[W]], %[[C]]]
//       CHECK:   loop.pointwise
func.func @convolution(%x: tensor<1x7x7x2xf32>, %w: tensor<3x3x2x4xf32>, %e: tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x7x7x2xf32>, tensor<3x3x2x4xf32>) outs(%e : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  return %r : tensor<1x3x3x4xf32>
}

// The domain is the destination's, whichever dimension comes first in the maps.
// CHECK-LABEL: func.func @transposed(
//       CHECK:   loop.pointwise (%[[I:.*]] = %{{.*}}, %[[J:.*]] = 4) into
//       CHECK:     loop.load %{{.*}}[%[[J]], %[[I]]] : tensor<4x?xi8>
//       CHECK:     arith.index_cast %[[J]]
func.func @transposed(%x: tensor<4x?xi8>, %e: tensor<?x4xi8>) -> tensor<?x4xi8> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x?xi8>) outs(%e : tensor<?x4xi8>) {
  ^bb0(%a: i8, %o: i8):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i8
    %s = arith.addi %a, %k : i8
    linalg.yield %s : i8
  } -> tensor<?x4xi8>
  return %r : tensor<?x4xi8>
}

// Two results: two operations on tensors, one group on memrefs, whose points see both as they were.
// CHECK-LABEL: func.func @two(
//       CHECK:   loop.pointwise
//       CHECK:   loop.pointwise
func.func @two(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%x, %y : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %b, %a : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @swapped(
//       CHECK:   loop.group (%{{.*}} = 4) into (%{{.*}}, %{{.*}})
func.func @swapped(%x: memref<4xf32>, %y: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%x, %y : memref<4xf32>, memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %b, %a : f32, f32
  }
  return
}
