// RUN: terrace-run %s --arg '[-2, 3, 1, -1]' --arg '[1, -1, 4, 2]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[-2, 3, 1, -1]' --arg '[1, -1, 4, 2]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-3.0]
func.func @main(%a0: tensor<4xf32>, %a1: tensor<4xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.dot ins(%a0, %a1 : tensor<4xf32>, tensor<4xf32>) outs(%f : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
