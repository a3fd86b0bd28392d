// RUN: terrace-run %s --arg '[[-2, 3, 1], [-1, 4, 2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1], [-1, 4, 2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-1.0, 2.0, 1.0, -1.0, 2.0, 2.0]
func.func @main(%a0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.clamp %a0 {min_val = -1.0 : f32, max_val = 2.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
