// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// Products of two factors are added up in f32 for 512 terms of each lane, those of one number by itself, as of a norm, for 64.
// CHECK-LABEL: kernel.func @vector.reduction_0
// CHECK: scf.for %{{.*}} = %c0 to %c25088 step %c64 iter_args(%{{.*}}) -> (tensor<64xf32>)
// CHECK-NOT: f64
// CHECK: kernel.return
func.func @vector(%x: memref<25088xf32>, %w: memref<16x25088xf32>, %y: memref<16xf32>) {
  loop.reduction add (%i = 16) over (%k = 25088) into %y {
    %a = loop.load %x[%k] : memref<25088xf32>
    %t = loop.load %w[%i, %k] : memref<16x25088xf32>
    %m = arith.mulf %a, %t : f32
    loop.yield %m : f32
  } : memref<16xf32>
  return
}

// -----

// CHECK-LABEL: kernel.func @longer.reduction_0
// CHECK: scf.for %{{.*}} = %c0 to %c65536 step %c32768 iter_args(%{{.*}}) -> (tensor<64xf64>)
func.func @longer(%x: memref<65536xf32>, %w: memref<16x65536xf32>, %y: memref<16xf32>) {
  loop.reduction add (%i = 16) over (%k = 65536) into %y {
    %a = loop.load %x[%k] : memref<65536xf32>
    %t = loop.load %w[%i, %k] : memref<16x65536xf32>
    %m = arith.mulf %a, %t : f32
    loop.yield %m : f32
  } : memref<16xf32>
  return
}

// -----

// CHECK-LABEL: kernel.func @norm.reduction_0
// CHECK: scf.for %{{.*}} = %c0 to %c25088 step %c4096 iter_args(%{{.*}}) -> (tensor<64xf64>)
func.func @norm(%w: memref<16x25088xf32>, %y: memref<16xf32>) {
  loop.reduction add (%i = 16) over (%k = 25088) into %y {
    %t = loop.load %w[%i, %k] : memref<16x25088xf32>
    %m = arith.mulf %t, %t : f32
    loop.yield %m : f32
  } : memref<16xf32>
  return
}
