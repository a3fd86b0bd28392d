// The buffer that is written is read at another place: both would be buffers of other dimensions.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK: loop.pointwise (%{{.*}} = 4, %{{.*}} = 6)
func.func @shifted(%x: memref<1x4x6xf32>) {
  %y = memref.collapse_shape %x [[0, 1], [2]] : memref<1x4x6xf32> into memref<4x6xf32>
  loop.pointwise (%i = 4, %j = 6) into %y {
    %0 = loop.load %x[0, %i, %j] : memref<1x4x6xf32>
    loop.yield %0 : f32
  } : memref<4x6xf32>
  return
}
