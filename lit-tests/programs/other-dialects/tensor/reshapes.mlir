// RUN: terrace-run %s --arg '[[-2, 3, 1, -1, 4, 2], [0, -2, 3, 1, -1, 4]]' | FileCheck %s

// CHECK: "storage": "arg0", "dtype": "f32", "sizes": [4, 3], "strides": [3, 1]
func.func @main(%a0: tensor<2x6xf32>) -> tensor<4x3xf32> {
  %c = tensor.collapse_shape %a0 [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
  %r = tensor.expand_shape %c [[0, 1]] output_shape [4, 3] : tensor<12xf32> into tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
