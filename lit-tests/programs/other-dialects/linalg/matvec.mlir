// RUN: terrace-run %s --arg '[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]]' --arg '[1, -1, 4, 2]' --arg '[4, 2, 0]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]]' --arg '[1, -1, 4, 2]' --arg '[4, 2, 0]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [1.0, 0.0, 6.0]
func.func @main(%a0: tensor<3x4xf32>, %a1: tensor<4xf32>, %a2: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.matvec ins(%a0, %a1 : tensor<3x4xf32>, tensor<4xf32>) outs(%a2 : tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
