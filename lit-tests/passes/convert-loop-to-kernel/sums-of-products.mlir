// RUN: terrace-opt %s --convert-loop-to-kernel | FileCheck %s

// Products are not rounded before they are added; the short loop has a sum of its own.
// CHECK-LABEL: kernel.func @windows.
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<32xf32>
// CHECK: scf.for %{{.*}} iter_args(%[[ALL:.*]] = %[[ZERO]])
// CHECK-NEXT: %[[OWN:.*]] = scf.for %{{.*}} iter_args(%[[SUM:.*]] = %[[ZERO]])
// CHECK: %[[TERM:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : tensor<32xf32>
// CHECK-NEXT: arith.addf %[[SUM]], %[[TERM]] fastmath<contract> : tensor<32xf32>
// CHECK: arith.addf %[[ALL]], %[[OWN]] : tensor<32xf32>
func.func @windows(%x: memref<64x36x36xf32>, %w: memref<64x5x5xf32>, %y: memref<64x32x32xf32>) {
  loop.reduction add (%c = 64, %i = 32, %j = 32) over (%k = 5, %l = 5) into %y {
    %a = loop.load %x[%c, %i + %k, %j + %l] : memref<64x36x36xf32>
    %b = loop.load %w[%c, %k, %l] : memref<64x5x5xf32>
    %p = arith.mulf %a, %b : f32
    loop.yield %p : f32
  } : memref<64x32x32xf32>
  return
}

// A long loop goes on with the sum: the next round of the outer one is far away.
// CHECK-LABEL: kernel.func @long.
// CHECK: scf.for %{{.*}} iter_args(%[[ALL:.*]] = %{{.*}})
// CHECK-NEXT: scf.for %{{.*}} iter_args(%{{.*}} = %[[ALL]])
func.func @long(%x: memref<64x5x60x32xf64>, %y: memref<64x32xf64>) {
  loop.reduction add (%c = 64, %j = 32) over (%k = 5, %l = 60) into %y {
    %a = loop.load %x[%c, %k, %l, %j] : memref<64x5x60x32xf64>
    loop.yield %a : f64
  } : memref<64x32xf64>
  return
}
