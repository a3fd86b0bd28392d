// A value that is computed in the memory of one argument is copied to another one: what it is put into is not where it lies.
// RUN: terrace-opt %s --protect-arguments | FileCheck %s

// CHECK: %[[A:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK: %[[B:.*]] = bufferization.to_tensor %{{.*}} restrict writable
func.func @both(%a: memref<4xf32>, %b: memref<4xf32>) {
  %0 = bufferization.to_tensor %a restrict writable : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_tensor %b restrict writable : memref<4xf32> to tensor<4xf32>
  %2 = loop.pointwise (%i = 4) into %0 {
    %5 = loop.load %0[%i] : tensor<4xf32>
    %6 = loop.load %1[%i] : tensor<4xf32>
    %7 = arith.addf %5, %6 : f32
    loop.yield %7 : f32
  } : tensor<4xf32>
  %3 = bufferization.materialize_in_destination %2 in %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = bufferization.materialize_in_destination %2 in %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %3 in writable %a : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %4 in writable %b : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
