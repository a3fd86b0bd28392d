// On memory a reduction may be one whose order somebody wrote down.

// RUN: terrace-opt %s --loop-split-reduction="least=16" | FileCheck %s

// CHECK: loop.reduction
// CHECK-NOT: loop.reduction
func.func @memory(%x: memref<65536xf32>, %e: memref<f32>) {
  loop.reduction add over (%k = 65536) into %e {
    %a = loop.load %x[%k] : memref<65536xf32>
    loop.yield %a : f32
  } : memref<f32>
  return
}
