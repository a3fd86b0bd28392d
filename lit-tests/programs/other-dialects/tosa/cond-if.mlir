// RUN: terrace-run %s --arg '[-2, 3, 1]' --arg '[1, -1, 4]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[-2, 3, 1]' --arg '[1, -1, 4]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [1.0, -1.0, 4.0]
func.func @main(%a0: tensor<3xf32>, %a1: tensor<3xf32>) -> tensor<3xf32> {
  %m = tosa.reduce_sum %a0 {axis = 0 : i32} : (tensor<3xf32>) -> tensor<1xf32>
  %n = tosa.reduce_sum %a1 {axis = 0 : i32} : (tensor<3xf32>) -> tensor<1xf32>
  %g = tosa.greater %m, %n : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
  %none = tosa.const_shape {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
  %c = tosa.reshape %g, %none : (tensor<1xi1>, !tosa.shape<0>) -> tensor<i1>
  %r = tosa.cond_if %c : tensor<i1> -> (tensor<3xf32>) {
    tosa.yield %a0 : tensor<3xf32>
  } else {
    tosa.yield %a1 : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}
