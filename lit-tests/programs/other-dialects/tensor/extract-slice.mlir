// RUN: terrace-run %s --arg '[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [4.0, 0.0, 3.0, -1.0]
func.func @main(%a0: tensor<3x4xf32>) -> tensor<2x2xf32> {
  %r = tensor.extract_slice %a0[1, 0] [2, 2] [1, 2] : tensor<3x4xf32> to tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
