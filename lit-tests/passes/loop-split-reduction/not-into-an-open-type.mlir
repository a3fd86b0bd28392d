// The sizes are known, and the type of what is written does not say them: blocks would be tensors of no size.

// RUN: terrace-opt %s --loop-split-reduction='points=8 least=16' | FileCheck %s

// CHECK: loop.reduction
// CHECK-NOT: loop.reduction
func.func @f(%x: tensor<2x64xi32>, %e: tensor<?xi32>) -> tensor<?xi32> {
  %s = loop.reduction add (%i = 2) over (%k = 64) into %e {
    %a = loop.load %x[%i, %k] : tensor<2x64xi32>
    loop.yield %a : i32
  } : tensor<?xi32>
  return %s : tensor<?xi32>
}
