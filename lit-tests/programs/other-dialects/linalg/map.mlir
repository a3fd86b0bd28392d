// RUN: terrace-run %s --arg '[[-2, 3, 1], [-1, 4, 2]]' --arg '[[1, -1, 4], [2, 0, -2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1], [-1, 4, 2]]' --arg '[[1, -1, 4], [2, 0, -2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-2.0, -3.0, 4.0, -2.0, 0.0, -4.0]
func.func @main(%a0: tensor<2x3xf32>, %a1: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.map ins(%a0, %a1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>)
    (%x: f32, %y: f32, %o: f32) {
      %s = arith.mulf %x, %y : f32
      linalg.yield %s : f32
    }
  return %r : tensor<2x3xf32>
}
