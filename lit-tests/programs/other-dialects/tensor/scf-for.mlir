// RUN: terrace-run %s --arg '[[-2, 3, 1], [-1, 4, 2]]' | FileCheck %s
// RUN: terrace-run %s --target=interpret --arg '[[-2, 3, 1], [-1, 4, 2]]' | FileCheck %s

// CHECK: "new0": {{.*}}"data": [-8.0, 12.0, 4.0, -4.0, 16.0, 8.0]
func.func @main(%a0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a0) -> tensor<2x3xf32> {
    %y = arith.addf %x, %a0 : tensor<2x3xf32>
    scf.yield %y : tensor<2x3xf32>
  }
  return %r : tensor<2x3xf32>
}
