// What the next member makes of a scan's elements is made in the scan's loop, and they stay in registers.

// RUN: terrace-opt %s --convert-loop-to-kernel=tile=16 --split-input-file | FileCheck %s

// CHECK-LABEL: kernel.func @finished.group_0(
//   CHECK-NOT: memref.alloca
//       CHECK: scf.for %[[J:[^ ]*]] = %c0 to %c64 step %c16 iter_args
//       CHECK:   %[[SUMS:.*]], %[[NEXT:.*]] = kernel.scan add
//       CHECK:   %[[E:.*]] = math.exp %[[SUMS]]
//       CHECK:   kernel.store %[[E]], %arg1[%{{.*}}, %[[J]] : 16]
//   CHECK-NOT: kernel.load
//       CHECK: kernel.return
func.func @finished(%x: memref<8x64xf32>) -> memref<8x64xf32> {
  %y = memref.alloc() : memref<8x64xf32>
  loop.group (%i = 8) into (%y as %p : memref<8x64xf32>) {
    %s = loop.scan add (%j = 64) along %j {
      %a = loop.load %x[%i, %j] : memref<8x64xf32>
      loop.yield %a : f32
    } : tensor<64xf32>
    %e = loop.pointwise (%j = 64) {
      %a = loop.load %s[%j] : tensor<64xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<64xf32>
    loop.in_parallel {
      loop.insert %e into %p at [%i, :] : tensor<64xf32> into memref<8x64xf32>
    }
  }
  return %y : memref<8x64xf32>
}

// -----

// A number after the other: the lanes are the columns.
// CHECK-LABEL: kernel.func @down.group_0(
//   CHECK-NOT: memref.alloca
//       CHECK: scf.for %[[I:[^ ]*]] = %c0 to %c64 step %c1 iter_args
//       CHECK:   %[[SUM:.*]] = arith.truncf
//       CHECK:   %[[E:.*]] = math.exp %[[SUM]]
//       CHECK:   kernel.store %[[E]], %arg1[%{{.*}}, %[[I]], %{{.*}} : 16]
func.func @down(%x: memref<8x64x16xf32>) -> memref<8x64x16xf32> {
  %y = memref.alloc() : memref<8x64x16xf32>
  loop.group (%b = 8) into (%y as %p : memref<8x64x16xf32>) {
    %s = loop.scan add (%i = 64, %j = 16) along %i {
      %a = loop.load %x[%b, %i, %j] : memref<8x64x16xf32>
      loop.yield %a : f32
    } : tensor<64x16xf32>
    %e = loop.pointwise (%i = 64, %j = 16) {
      %a = loop.load %s[%i, %j] : tensor<64x16xf32>
      %c = math.exp %a : f32
      loop.yield %c : f32
    } : tensor<64x16xf32>
    loop.in_parallel {
      loop.insert %e into %p at [%b, :, :] : tensor<64x16xf32> into memref<8x64x16xf32>
    }
  }
  return %y : memref<8x64x16xf32>
}

// -----

// In place: each element is read before it is written.
// CHECK-LABEL: kernel.func @in_place.group_0(
//   CHECK-NOT: memref.alloca
//       CHECK: kernel.return
func.func @in_place(%y: memref<8x64xf32>) {
  loop.group (%i = 8) into (%y as %p : memref<8x64xf32>) {
    %s = loop.scan add (%j = 64) along %j {
      %a = loop.load %y[%i, %j] : memref<8x64xf32>
      loop.yield %a : f32
    } : tensor<64xf32>
    %e = loop.pointwise (%j = 64) {
      %a = loop.load %s[%j] : tensor<64xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<64xf32>
    loop.in_parallel {
      loop.insert %e into %p at [%i, :] : tensor<64xf32> into memref<8x64xf32>
    }
  }
  return
}
