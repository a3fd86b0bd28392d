// An argument of a block may be any buffer that a branch hands over, an allocation of this function too.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join an operation that it depends on: both write memory that may be the same
// CHECK-LABEL: func.func @handed_over
// CHECK-NOT: loop.group
func.func @handed_over(%x: memref<64x32xf32>) -> f32 {
  %c = arith.constant 3 : index
  %own = memref.alloc() : memref<64x32xf32>
  %z = memref.alloc() : memref<64x32xf32>
  cf.br ^next(%own : memref<64x32xf32>)
^next(%y: memref<64x32xf32>):
  loop.pointwise (%i = 64, %j = 32) into %y {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %z {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    %b = loop.load %own[63 - %i, %j] : memref<64x32xf32>
    %s = arith.addf %a, %b : f32
    loop.yield %s : f32
  } : memref<64x32xf32>
  %r = memref.load %z[%c, %c] : memref<64x32xf32>
  return %r : f32
}
