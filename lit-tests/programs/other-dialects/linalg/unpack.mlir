// RUN: terrace-run %s --arg '[[[[-2, 3], [1, -1]], [[4, 2], [0, -2]], [[3, 1], [-1, 4]]], [[[2, 0], [-2, 3]], [[1, -1], [4, 2]], [[0, -2], [3, 1]]]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[[-2, 3], [1, -1]], [[4, 2], [0, -2]], [[3, 1], [-1, 4]]], [[[2, 0], [-2, 3]], [[1, -1], [4, 2]], [[0, -2], [3, 1]]]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-2.0, 3.0, 4.0, 2.0, 3.0, 1.0, 1.0, -1.0, 0.0, -2.0, -1.0, 4.0, 2.0, 0.0, 1.0, -1.0, 0.0, -2.0, -2.0, 3.0, 4.0, 2.0, 3.0, 1.0]
func.func @main(%a0: tensor<2x3x2x2xf32>) -> tensor<4x6xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %r = linalg.unpack %a0 inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<2x3x2x2xf32> -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
