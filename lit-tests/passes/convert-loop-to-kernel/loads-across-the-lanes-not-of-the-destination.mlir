// A block would be read before earlier points of it are written.

// RUN: terrace-opt %s --convert-loop-to-kernel | FileCheck %s

// CHECK-NOT: memref.alloca
// CHECK: kernel.load %{{.*}}[%{{.*}} : 64, %{{.*}}] : memref<64x64xf32>
func.func @own(%x: memref<64x64xf32>, %z: memref<64x64xf32>) {
  loop.pointwise (%i = 64, %j = 64) into %x {
    %p = loop.load %x[%j, %i] : memref<64x64xf32>
    %q = loop.load %z[%i, %j] : memref<64x64xf32>
    %s = arith.addf %p, %q : f32
    loop.yield %s : f32
  } : memref<64x64xf32>
  return
}
