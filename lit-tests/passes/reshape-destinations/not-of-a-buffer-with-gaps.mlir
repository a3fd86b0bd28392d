// Rows of the buffer lie apart: merged they are none of its rows.

// RUN: terrace-opt %s --reshape-destinations | FileCheck %s

// CHECK-NOT: memref.
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %arg1 : (tensor<4x6xf32>
func.func @gaps(%v: tensor<24xf32>, %b: memref<4x6xf32, strided<[8, 1]>>) {
  %s = tensor.expand_shape %v [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
  bufferization.materialize_in_destination %s in restrict writable %b : (tensor<4x6xf32>, memref<4x6xf32, strided<[8, 1]>>) -> ()
  return
}
