// RUN: terrace-run %s --arg '[-2, 3, 1]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[-2, 3, 1]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-2.0, 3.0, 1.0, -2.0, 3.0, 1.0]
func.func @main(%a0: tensor<3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.broadcast ins(%a0 : tensor<3xf32>) outs(%e : tensor<2x3xf32>) dimensions = [0]
  return %r : tensor<2x3xf32>
}
