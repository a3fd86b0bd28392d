// A body with a loop is not written twice.

// RUN: terrace-opt %s --loop-split-reduction="least=16" | FileCheck %s

// CHECK: loop.reduction
// CHECK-NOT: loop.reduction
func.func @rounds(%x: tensor<65536xf32>, %e: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = loop.reduction add over (%k = 65536) into %e {
    %a = loop.load %x[%k] : tensor<65536xf32>
    %b = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %a) -> f32 {
      %w = arith.mulf %v, %a : f32
      scf.yield %w : f32
    }
    loop.yield %b : f32
  } : tensor<f32>
  return %s : tensor<f32>
}
