// RUN: terrace-run %s --arg '[[-2, 3, 1], [-1, 4, 2]]' --arg '[[0, 1, 2], [3, 0, 1]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1], [-1, 4, 2]]' --arg '[[0, 1, 2], [3, 0, 1]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-2, 3, 3, -1, 4, 3]
func.func @main(%a0: tensor<2x3xi32>, %a1: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = tosa.bitwise_or %a0, %a1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
