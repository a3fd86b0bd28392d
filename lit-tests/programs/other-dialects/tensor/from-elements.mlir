// RUN: terrace-run %s --arg '[-2, 3]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[-2, 3]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [3.0, -2.0]
func.func @main(%a0: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.extract %a0[%c0] : tensor<2xf32>
  %y = tensor.extract %a0[%c1] : tensor<2xf32>
  %r = tensor.from_elements %y, %x : tensor<2xf32>
  return %r : tensor<2xf32>
}
