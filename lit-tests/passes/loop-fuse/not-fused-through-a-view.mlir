// The second reads, through a view, rows that the first writes at other points.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join an operation that it depends on: one may read, through another name, what the other writes
// CHECK-LABEL: func.func @view
// CHECK-NOT: loop.group
func.func @view(%x: memref<64x32xf32>) -> f32 {
  %c = arith.constant 3 : index
  %y = memref.alloc() : memref<65x32xf32>
  %lower = memref.subview %y[1, 0] [64, 32] [1, 1] : memref<65x32xf32> to memref<64x32xf32, strided<[32, 1], offset: 32>>
  %upper = memref.subview %y[0, 0] [64, 32] [1, 1] : memref<65x32xf32> to memref<64x32xf32, strided<[32, 1]>>
  %z = memref.alloc() : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %lower {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32, strided<[32, 1], offset: 32>>
  loop.pointwise (%i = 64, %j = 32) into %z {
    %a = loop.load %upper[%i, %j] : memref<64x32xf32, strided<[32, 1]>>
    loop.yield %a : f32
  } : memref<64x32xf32>
  %r = memref.load %z[%c, %c] : memref<64x32xf32>
  return %r : f32
}
