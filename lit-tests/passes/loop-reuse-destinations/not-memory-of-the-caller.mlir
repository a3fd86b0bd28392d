// What stands in the caller's memory is written only where a result goes: of a group that reads it for a sum, too, there would be a copy.

// RUN: terrace-opt %s --loop-reuse-destinations | FileCheck %s

// CHECK-LABEL: func.func @centered(
// CHECK: %[[E:.*]] = tensor.empty
// CHECK: loop.pointwise {{.*}} into %[[E]]
func.func @centered(%m: memref<12xf32>, %k: f32) -> tensor<2x6xf32> {
  %t = bufferization.to_tensor %m restrict : memref<12xf32> to tensor<12xf32>
  %x = tensor.expand_shape %t [[0, 1]] output_shape [2, 6] : tensor<12xf32> into tensor<2x6xf32>
  %e = tensor.empty() : tensor<2x6xf32>
  %r = loop.pointwise (%i = 2, %j = 6) into %e {
    %a = loop.load %x[%i, %j] : tensor<2x6xf32>
    %b = arith.subf %a, %k : f32
    loop.yield %b : f32
  } : tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}
