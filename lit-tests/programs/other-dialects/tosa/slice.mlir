// RUN: terrace-run %s --arg '[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1, -1], [4, 2, 0, -2], [3, 1, -1, 4]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [2.0, 0.0, 1.0, -1.0]
func.func @main(%a0: tensor<3x4xf32>) -> tensor<2x2xf32> {
  %s = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %n = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.slice %a0, %s, %n : (tensor<3x4xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
