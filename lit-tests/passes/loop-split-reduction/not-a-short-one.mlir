// What is launched twice must be long enough.

// RUN: terrace-opt %s --loop-split-reduction | FileCheck %s

// CHECK: loop.reduction
// CHECK-NOT: loop.reduction
func.func @short(%x: tensor<65536xf32>, %e: tensor<f32>) -> tensor<f32> {
  %s = loop.reduction add over (%k = 65536) into %e {
    %a = loop.load %x[%k] : tensor<65536xf32>
    loop.yield %a : f32
  } : tensor<f32>
  return %s : tensor<f32>
}
