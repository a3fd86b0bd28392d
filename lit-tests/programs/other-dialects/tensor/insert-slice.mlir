// RUN: terrace-run %s --arg '[[-2, 3], [1, -1]]' --arg '[[1, -1, 4, 2], [0, -2, 3, 1], [-1, 4, 2, 0]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3], [1, -1]]' --arg '[[1, -1, 4, 2], [0, -2, 3, 1], [-1, 4, 2, 0]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [1.0, -1.0, 4.0, 2.0, 0.0, -2.0, 3.0, 3.0, -1.0, 1.0, 2.0, -1.0]
func.func @main(%a0: tensor<2x2xf32>, %a1: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = tensor.insert_slice %a0 into %a1[1, 1] [2, 2] [1, 2] : tensor<2x2xf32> into tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
