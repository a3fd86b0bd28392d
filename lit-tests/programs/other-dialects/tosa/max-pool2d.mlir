// RUN: terrace-run %s --arg '[[[[-2, 3], [1, -1], [4, 2], [0, -2]], [[3, 1], [-1, 4], [2, 0], [-2, 3]], [[1, -1], [4, 2], [0, -2], [3, 1]], [[-1, 4], [2, 0], [-2, 3], [1, -1]]]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[[[-2, 3], [1, -1], [4, 2], [0, -2]], [[3, 1], [-1, 4], [2, 0], [-2, 3]], [[1, -1], [4, 2], [0, -2], [3, 1]], [[-1, 4], [2, 0], [-2, 3], [1, -1]]]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [3.0, 4.0, 4.0, 3.0, 4.0, 4.0, 3.0, 3.0]
func.func @main(%a0: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %r = tosa.max_pool2d %a0 {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  return %r : tensor<1x2x2x2xf32>
}
