// One left factor is multiplied by all columns, so images have no columns in common where each has its own.
// RUN: terrace-opt %s --convert-loop-to-kernel | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK: kernel.matmul (%{{.*}} = 4, %{{.*}} = 128, %{{.*}} = 16) over (%{{.*}} = 4608)
func.func @f(%x: memref<4x512x6x6xf32>, %w: memref<4x128x512x3x3xf32>, %y: memref<4x128x4x4xf32>) {
  loop.reduction add (%b = 4, %o = 128, %i = 4, %j = 4) over (%c = 512, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i + %h, %j + %v] : memref<4x512x6x6xf32>
    %t = loop.load %w[%b, %o, %c, %h, %v] : memref<4x128x512x3x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<4x128x4x4xf32>
  return
}
