// Digits of another base are no index of the collapsed buffer.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK-NOT: memref.collapse_shape
// CHECK: loop.load %{{.*}}[%{{.*}} floordiv 5, %{{.*}} mod 5]
func.func @another(%x: memref<4x6xf32>, %y: memref<20xf32>) {
  loop.pointwise (%k = 20) into %y {
    %a = loop.load %x[%k floordiv 5, %k mod 5] : memref<4x6xf32>
    loop.yield %a : f32
  } : memref<20xf32>
  return
}
