// RUN: terrace-opt %s --elide-copies | FileCheck %s

// The buffer begins as the rows in front of those that it becomes: copied there at once, rows 1 and 2 would be row 0.

// CHECK: %[[ALLOC:.*]] = memref.alloc
// CHECK: memref.copy %{{.*}}, %[[ALLOC]]
// CHECK: loop.pointwise ({{.*}}) into %[[ALLOC]]
// CHECK: memref.copy %[[ALLOC]],
func.func @f(%x: memref<4x8xf32>) {
  %before = memref.reinterpret_cast %x to offset: [0], sizes: [2, 8], strides: [8, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1]>>
  %rows = memref.reinterpret_cast %x to offset: [8], sizes: [2, 8], strides: [8, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 8>>
  %alloc = memref.alloc() : memref<2x8xf32>
  memref.copy %before, %alloc : memref<2x8xf32, strided<[8, 1]>> to memref<2x8xf32>
  loop.pointwise (%i = 2, %j = 8) into %alloc {
    %0 = loop.load %alloc[%i, %j] : memref<2x8xf32>
    %1 = arith.addf %0, %0 : f32
    loop.yield %1 : f32
  } : memref<2x8xf32>
  memref.copy %alloc, %rows {graph.disjoint} : memref<2x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 8>>
  return
}
