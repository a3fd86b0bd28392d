// RUN: terrace-opt %s --elide-copies | FileCheck %s

// The type of the view says that its rows follow each other, which those of the target do not.

// CHECK: %[[ALLOC:.*]] = memref.alloc
// CHECK: loop.pointwise ({{.*}}) into %[[ALLOC]]
// CHECK: memref.collapse_shape %[[ALLOC]]
// CHECK: memref.copy %[[ALLOC]],
func.func @f(%x: memref<2x8xf32>, %y: memref<2x4xf32>, %z: memref<8xf32>) {
  %half = memref.reinterpret_cast %x to offset: [0], sizes: [2, 4], strides: [8, 1] : memref<2x8xf32> to memref<2x4xf32, strided<[8, 1]>>
  %alloc = memref.alloc() : memref<2x4xf32>
  loop.pointwise (%i = 2, %j = 4) into %alloc {
    %0 = loop.load %y[%i, %j] : memref<2x4xf32>
    loop.yield %0 : f32
  } : memref<2x4xf32>
  %flat = memref.collapse_shape %alloc [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  loop.pointwise (%i = 8) into %z {
    %0 = loop.load %flat[%i] : memref<8xf32>
    loop.yield %0 : f32
  } : memref<8xf32>
  memref.copy %alloc, %half {graph.disjoint} : memref<2x4xf32> to memref<2x4xf32, strided<[8, 1]>>
  return
}
