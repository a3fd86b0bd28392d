// RUN: terrace-run %s --arg '[[-2, 3, 1], [-1, 4, 2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1], [-1, 4, 2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-2.0, -1.0, 3.0, 4.0, 1.0, 2.0]
func.func @main(%a0: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %r = tosa.transpose %a0 {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
