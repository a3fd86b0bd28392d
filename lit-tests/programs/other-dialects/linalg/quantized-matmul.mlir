// RUN: terrace-run %s --arg '[[0, 5, 3], [1, 6, 4]]' --arg '[[3, 1], [6, 4], [2, 0]]' --arg '[[4, 2], [0, -2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[0, 5, 3], [1, 6, 4]]' --arg '[[3, 1], [6, 4], [2, 0]]' --arg '[[4, 2], [0, -2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [19, 7, 20, 2]
func.func @main(%a0: tensor<2x3xi8>, %a1: tensor<3x2xi8>, %a2: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %p = arith.constant 1 : i32
  %q = arith.constant 2 : i32
  %r = linalg.quantized_matmul ins(%a0, %a1, %p, %q : tensor<2x3xi8>, tensor<3x2xi8>, i32, i32) outs(%a2 : tensor<2x2xi32>) -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}
