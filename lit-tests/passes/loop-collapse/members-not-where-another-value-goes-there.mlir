// What another member gives goes into the same buffer, and has its dimensions as they are.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK-NOT: memref.collapse_shape
func.func @two(%x: memref<3x8x2xf32>, %y: memref<3x2x8x2xf32>) {
  loop.group (%g = 3) into (%y as %to : memref<3x2x8x2xf32>) {
    %e = loop.pointwise (%i = 8, %j = 2) {
      %a = loop.load %x[%g, %i, %j] : memref<3x8x2xf32>
      loop.yield %a : f32
    } : tensor<8x2xf32>
    %n = loop.pointwise (%i = 8, %j = 2) {
      %k = arith.index_cast %j : index to i32
      %m = arith.sitofp %k : i32 to f32
      loop.yield %m : f32
    } : tensor<8x2xf32>
    loop.in_parallel {
      loop.insert %e into %to at [%g, 0, :, :] : tensor<8x2xf32> into memref<3x2x8x2xf32>
      loop.insert %n into %to at [%g, 1, :, :] : tensor<8x2xf32> into memref<3x2x8x2xf32>
    }
  }
  return
}
