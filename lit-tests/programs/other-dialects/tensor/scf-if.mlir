// RUN: terrace-run %s --arg '[-2, 3, 1]' --arg '[1, -1, 4]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[-2, 3, 1]' --arg '[1, -1, 4]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-1.0, 2.0, 5.0]
func.func @main(%a0: tensor<3xf32>, %a1: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %a0[%c0] : tensor<3xf32>
  %y = tensor.extract %a1[%c0] : tensor<3xf32>
  %m = arith.cmpf olt, %x, %y : f32
  %r = scf.if %m -> tensor<3xf32> {
    %s = arith.addf %a0, %a1 : tensor<3xf32>
    scf.yield %s : tensor<3xf32>
  } else {
    scf.yield %a0 : tensor<3xf32>
  }
  return %r : tensor<3xf32>
}
