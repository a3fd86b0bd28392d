// RUN: terrace-opt %s --elide-copies | FileCheck %s

// Nobody knows where the place lies in %x.

// CHECK: memref.copy
func.func @f(%x: memref<8xf32>, %at: index) {
  %half = memref.reinterpret_cast %x to offset: [%at], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %alloc = memref.alloc() : memref<4xf32>
  loop.pointwise (%i = 4) into %alloc {
    %0 = loop.load %x[%i + 4] : memref<8xf32>
    loop.yield %0 : f32
  } : memref<4xf32>
  memref.copy %alloc, %half {graph.disjoint} : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  return
}
