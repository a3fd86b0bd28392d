// RUN: terrace-run %s --arg '[-2, 3, 1]' --arg '[[1, -1, 4, 2], [0, -2, 3, 1], [-1, 4, 2, 0]]' --arg '[4, 2, 0, -2]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[-2, 3, 1]' --arg '[[1, -1, 4, 2], [0, -2, 3, 1], [-1, 4, 2, 0]]' --arg '[4, 2, 0, -2]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [1.0, 2.0, 3.0, -3.0]
func.func @main(%a0: tensor<3xf32>, %a1: tensor<3x4xf32>, %a2: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.vecmat ins(%a0, %a1 : tensor<3xf32>, tensor<3x4xf32>) outs(%a2 : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
