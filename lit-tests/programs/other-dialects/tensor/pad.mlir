// RUN: terrace-run %s --arg '[[-2, 3, 1], [-1, 4, 2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1], [-1, 4, 2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [7.0, 7.0, 7.0, 7.0, 7.0, -2.0, 3.0, 1.0, 7.0, 7.0, -1.0, 4.0, 2.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0]
func.func @main(%a0: tensor<2x3xf32>) -> tensor<4x5xf32> {
  %p = arith.constant 7.0 : f32
  %r = tensor.pad %a0 low[1, 0] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %p : f32
  } : tensor<2x3xf32> to tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
