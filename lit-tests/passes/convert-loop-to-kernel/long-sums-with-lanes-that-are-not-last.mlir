// The lanes are along %j, which is not the last of the inner domain: blocks are those of %k, which is run through once.

// RUN: terrace-opt %s --convert-loop-to-kernel | FileCheck %s

// CHECK-LABEL: kernel.func @sum.reduction_0
//       CHECK:   scf.for %[[K:.*]] = %c0 to %c200 step %c1 iter_args(%{{.*}} = %{{.*}}) -> (tensor<64xf64>)
//   CHECK-NOT:   scf.for
//       CHECK:     kernel.load %{{.*}}[%[[K]], %c0 : 64] : memref<200x64xf32>
//       CHECK:   kernel.reduce add %{{.*}} : tensor<64xf64>
func.func @sum(%x: memref<200x64xf32>, %y: memref<f32>) {
  loop.reduction add over (%j = 64, %k = 200) into %y {
    %a = loop.load %x[%k, %j] : memref<200x64xf32>
    loop.yield %a : f32
  } : memref<f32>
  return
}
