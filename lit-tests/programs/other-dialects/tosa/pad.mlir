// RUN: terrace-run %s --arg '[[-2, 3], [1, -1]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3], [1, -1]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [0.0, 0.0, 0.0, -2.0, 3.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0]
func.func @main(%a0: tensor<2x2xf32>) -> tensor<4x3xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %s = tosa.const_shape {values = dense<[1, 1, 0, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %r = tosa.pad %a0, %s, %z : (tensor<2x2xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
