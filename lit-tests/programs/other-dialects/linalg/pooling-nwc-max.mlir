// RUN: terrace-run %s --arg '[[[-2, 3], [1, -1], [4, 2], [0, -2], [3, 1], [-1, 4]]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[-2, 3], [1, -1], [4, 2], [0, -2], [3, 1], [-1, 4]]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [4.0, 3.0, 4.0, 2.0, 4.0, 2.0, 3.0, 4.0]
func.func @main(%a0: tensor<1x6x2xf32>) -> tensor<1x4x2xf32> {
  %init = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3xf32>
  %e = tensor.empty() : tensor<1x4x2xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  %r = linalg.pooling_nwc_max ins(%a0, %w : tensor<1x6x2xf32>, tensor<3xf32>) outs(%f : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
  return %r : tensor<1x4x2xf32>
}
