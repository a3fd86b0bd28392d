// RUN: terrace-run %s --arg '[[-2, 3, 1, -1, 4], [2, 0, -2, 3, 1], [-1, 4, 2, 0, -2], [3, 1, -1, 4, 2]]' --arg '[[1, -1], [4, 2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1, -1, 4], [2, 0, -2, 3, 1], [-1, 4, 2, 0, -2], [3, 1, -1, 4, 2]]' --arg '[[1, -1], [4, 2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [3.0, -2.0, 0.0, 9.0, 6.0, 22.0, 3.0, -2.0, 9.0, 4.0, 6.0, 22.0]
func.func @main(%a0: tensor<4x5xf32>, %a1: tensor<2x2xf32>) -> tensor<3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.conv_2d ins(%a0, %a1 : tensor<4x5xf32>, tensor<2x2xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
