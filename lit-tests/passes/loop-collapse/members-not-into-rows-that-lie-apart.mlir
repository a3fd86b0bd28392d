// The rows that are written have gaps between them.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK-NOT: memref.collapse_shape
func.func @apart(%x: memref<3x8x2xf32>, %y: memref<3x8x2xf32, strided<[32, 4, 1]>>) {
  loop.group (%g = 3) into (%y as %to : memref<3x8x2xf32, strided<[32, 4, 1]>>) {
    %e = loop.pointwise (%i = 8, %j = 2) {
      %a = loop.load %x[%g, %i, %j] : memref<3x8x2xf32>
      loop.yield %a : f32
    } : tensor<8x2xf32>
    loop.in_parallel {
      loop.insert %e into %to at [%g, :, :] : tensor<8x2xf32> into memref<3x8x2xf32, strided<[32, 4, 1]>>
    }
  }
  return
}

// What is written are rows of the second dimension, and not of the last.
// CHECK-LABEL: func.func @columns
// CHECK-NOT: memref.collapse_shape
func.func @columns(%x: memref<3x8x2xf32>, %y: memref<8x3x2xf32>) {
  loop.group (%g = 3) into (%y as %to : memref<8x3x2xf32>) {
    %e = loop.pointwise (%i = 8, %j = 2) {
      %a = loop.load %x[%g, %i, %j] : memref<3x8x2xf32>
      loop.yield %a : f32
    } : tensor<8x2xf32>
    loop.in_parallel {
      loop.insert %e into %to at [:, %g, :] : tensor<8x2xf32> into memref<8x3x2xf32>
    }
  }
  return
}
