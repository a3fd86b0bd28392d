// The buffer would have to be split into several sizes that nobody says.

// RUN: terrace-opt %s --reshape-destinations | FileCheck %s

// CHECK-NOT: memref.expand_shape
// CHECK: bufferization.materialize_in_destination %{{.*}} in restrict writable %arg1 : (tensor<?xf32>
func.func @open(%v: tensor<?x?xf32>, %b: memref<?xf32>) {
  %m = tensor.collapse_shape %v [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  bufferization.materialize_in_destination %m in restrict writable %b : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
