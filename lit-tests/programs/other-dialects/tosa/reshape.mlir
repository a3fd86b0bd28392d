// RUN: terrace-run %s --arg '[[-2, 3, 1, -1, 4, 2], [0, -2, 3, 1, -1, 4]]' | FileCheck %s

// CHECK: "storage": "arg0", "dtype": "f32", "sizes": [4, 3], "strides": [3, 1]
func.func @main(%a0: tensor<2x6xf32>) -> tensor<4x3xf32> {
  %s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.reshape %a0, %s : (tensor<2x6xf32>, !tosa.shape<2>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
