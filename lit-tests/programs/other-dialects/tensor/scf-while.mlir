// RUN: terrace-run %s --arg '[-2, 3, 1]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[-2, 3, 1]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [22.0, 27.0, 25.0]
func.func @main(%a0: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %most = arith.constant 20.0 : f32
  %r = scf.while (%x = %a0) : (tensor<3xf32>) -> tensor<3xf32> {
    %v = tensor.extract %x[%c0] : tensor<3xf32>
    %m = arith.cmpf olt, %v, %most : f32
    scf.condition(%m) %x : tensor<3xf32>
  } do {
  ^bb0(%x: tensor<3xf32>):
    %three = arith.constant dense<3.0> : tensor<3xf32>
    %y = arith.addf %x, %three : tensor<3xf32>
    scf.yield %y : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}
