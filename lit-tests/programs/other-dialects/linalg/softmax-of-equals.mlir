// RUN: terrace-run %s --arg '[[-2, 3, 1, -1], [4, 2, 0, -2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1, -1], [4, 2, 0, -2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25]
func.func @main(%a0: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x4xf32>
  %x = arith.mulf %a0, %zero : tensor<2x4xf32>
  %e = tensor.empty() : tensor<2x4xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
