// RUN: terrace-run %s --arg '[-2, 3, 1]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[-2, 3, 1]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-2.0, -1.0, 3.0, 4.0, 1.0, 2.0]
func.func @main(%a0: tensor<3xf32>) -> tensor<3x2xf32> {
  %r = tensor.generate {
  ^bb0(%i: index, %j: index):
    %x = tensor.extract %a0[%i] : tensor<3xf32>
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    %s = arith.addf %x, %f : f32
    tensor.yield %s : f32
  } : tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
