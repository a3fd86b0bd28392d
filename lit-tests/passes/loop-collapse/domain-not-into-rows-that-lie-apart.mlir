// Rows of the destination have gaps between them.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK: loop.pointwise (%{{.*}} = 4, %{{.*}} = 6)
func.func @gaps(%x: memref<4x6xf32>, %y: memref<4x6xf32, strided<[8, 1]>>) {
  loop.pointwise (%i = 4, %j = 6) into %y {
    %0 = loop.load %x[%i, %j] : memref<4x6xf32>
    loop.yield %0 : f32
  } : memref<4x6xf32, strided<[8, 1]>>
  return
}
