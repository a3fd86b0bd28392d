// RUN: terrace-opt %s --elide-copies | FileCheck %s

// Nobody knows what the call reads.

// CHECK: memref.copy
func.func private @g()
func.func @f(%x: memref<8xf32>) {
  %half = memref.reinterpret_cast %x to offset: [4], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %alloc = memref.alloc() : memref<4xf32>
  loop.pointwise (%i = 4) into %alloc {
    %0 = loop.load %x[%i + 4] : memref<8xf32>
    loop.yield %0 : f32
  } : memref<4xf32>
  call @g() : () -> ()
  memref.copy %alloc, %half {graph.disjoint} : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  return
}
