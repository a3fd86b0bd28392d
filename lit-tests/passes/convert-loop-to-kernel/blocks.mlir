// A grid point works on fewer elements where there would be too few of them for a GPU.
// RUN: terrace-opt %s --convert-loop-to-kernel | FileCheck %s --check-prefixes=CHECK,MANY
// RUN: terrace-opt %s --convert-loop-to-kernel="blocks=64" | FileCheck %s --check-prefixes=CHECK,FEW

// Sixteen rows of 256 are 4096 elements.
// CHECK-LABEL: kernel.func @pointwise.pointwise_0
// MANY-SAME: grid(%{{.*}} in 16)
// FEW-SAME: grid(%{{.*}} in 64)
func.func @pointwise(%x: memref<256x256xf32>, %y: memref<256x256xf32>) {
  loop.pointwise (%i = 256, %j = 256) into %y {
    %a = loop.load %x[%i, %j] : memref<256x256xf32>
    loop.yield %a : f32
  } : memref<256x256xf32>
  return
}

// Where there are enough nothing changes.
// CHECK-LABEL: kernel.func @enough.pointwise_0
// CHECK-SAME: grid(%{{.*}} in 256)
func.func @enough(%x: memref<4096x256xf32>, %y: memref<4096x256xf32>) {
  loop.pointwise (%i = 4096, %j = 256) into %y {
    %a = loop.load %x[%i, %j] : memref<4096x256xf32>
    loop.yield %a : f32
  } : memref<4096x256xf32>
  return
}
