// RUN: terrace-opt %s --reshape-destinations --split-input-file | FileCheck %s

// A value that is merged and then split: the buffer goes the other way.
// CHECK-LABEL: func.func @both(
//  CHECK-SAME: %[[V:.*]]: tensor<8x4x16xf32>, %[[B:.*]]: memref<2x16x16xf32>)
//       CHECK:   %[[C:.*]] = memref.collapse_shape %[[B]] {{\[\[}}0, 1], [2]] : memref<2x16x16xf32> into memref<32x16xf32>
//       CHECK:   %[[E:.*]] = memref.expand_shape %[[C]] {{\[\[}}0, 1], [2]] output_shape [8, 4, 16] : memref<32x16xf32> into memref<8x4x16xf32>
//       CHECK:   bufferization.materialize_in_destination %[[V]] in restrict writable %[[E]]
func.func @both(%v: tensor<8x4x16xf32>, %b: memref<2x16x16xf32>) {
  %m = tensor.collapse_shape %v [[0, 1], [2]] : tensor<8x4x16xf32> into tensor<32x16xf32>
  %s = tensor.expand_shape %m [[0, 1], [2]] output_shape [2, 16, 16] : tensor<32x16xf32> into tensor<2x16x16xf32>
  bufferization.materialize_in_destination %s in restrict writable %b : (tensor<2x16x16xf32>, memref<2x16x16xf32>) -> ()
  return
}
