// The order is one of two dimensions.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK: loop.pointwise (%{{.*}} = 4, %{{.*}} = 6)
func.func @ordered(%x: memref<4x6xf32>, %y: memref<4x6xf32>) {
  loop.pointwise (%i = 4, %j = 6) into %y {
    %0 = loop.load %x[%i, %j] : memref<4x6xf32>
    loop.yield %0 : f32
  } order [1, 0] : memref<4x6xf32>
  return
}
