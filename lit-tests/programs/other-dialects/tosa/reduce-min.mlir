// RUN: terrace-run %s --arg '[[-2, 3, 1], [-1, 4, 2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1], [-1, 4, 2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-2.0, -1.0]
func.func @main(%a0: tensor<2x3xf32>) -> tensor<2x1xf32> {
  %r = tosa.reduce_min %a0 {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}
