// RUN: terrace-opt %s --elide-copies | FileCheck %s

// Each point reads all that is written.

// CHECK: memref.copy
func.func @f(%x: memref<8xf32>) {
  %half = memref.reinterpret_cast %x to offset: [4], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %alloc = memref.alloc() : memref<4xf32>
  loop.reduction add (%i = 4) over (%k = 4) into %alloc {
    %0 = loop.load %x[%k + 4] : memref<8xf32>
    loop.yield %0 : f32
  } : memref<4xf32>
  memref.copy %alloc, %half {graph.disjoint} : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  return
}
