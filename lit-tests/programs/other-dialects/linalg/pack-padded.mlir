// RUN: terrace-run %s --arg '[[-2, 3, 1, -1, 4], [2, 0, -2, 3, 1], [-1, 4, 2, 0, -2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1, -1, 4], [2, 0, -2, 3, 1], [-1, 4, 2, 0, -2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-2.0, 3.0, 2.0, 0.0, 1.0, -1.0, -2.0, 3.0, 4.0, 9.0, 1.0, 9.0, -1.0, 4.0, 9.0, 9.0, 2.0, 0.0, 9.0, 9.0, -2.0, 9.0, 9.0, 9.0]
func.func @main(%a0: tensor<3x5xf32>) -> tensor<2x3x2x2xf32> {
  %p = arith.constant 9.0 : f32
  %e = tensor.empty() : tensor<2x3x2x2xf32>
  %r = linalg.pack %a0 padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<3x5xf32> -> tensor<2x3x2x2xf32>
  return %r : tensor<2x3x2x2xf32>
}
