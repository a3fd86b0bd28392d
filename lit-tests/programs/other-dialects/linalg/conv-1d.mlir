// RUN: terrace-run %s --arg '[-2, 3, 1, -1, 4, 2]' --arg '[1, -1, 4]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[-2, 3, 1, -1, 4, 2]' --arg '[1, -1, 4]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-1.0, -2.0, 18.0, 3.0]
func.func @main(%a0: tensor<6xf32>, %a1: tensor<3xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.conv_1d ins(%a0, %a1 : tensor<6xf32>, tensor<3xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
