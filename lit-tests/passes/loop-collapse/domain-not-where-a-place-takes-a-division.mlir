// The weight of a column would be one of the remainder of the index.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK: loop.pointwise (%{{.*}} = 4, %{{.*}} = 6)
func.func @column(%x: memref<4x6xf32>, %w: memref<6xf32>, %y: memref<4x6xf32>) {
  loop.pointwise (%i = 4, %j = 6) into %y {
    %0 = loop.load %x[%i, %j] : memref<4x6xf32>
    %1 = loop.load %w[%j] : memref<6xf32>
    %2 = arith.addf %0, %1 : f32
    loop.yield %2 : f32
  } : memref<4x6xf32>
  return
}
