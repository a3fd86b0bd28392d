// RUN: terrace-run %s --arg '[-2]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[-2]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-2.0, -2.0, -2.0, -2.0]
func.func @main(%a0: tensor<1xf32>) -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %a0[%c0] : tensor<1xf32>
  %r = tensor.splat %x : tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
