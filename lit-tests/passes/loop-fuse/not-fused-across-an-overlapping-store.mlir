// What stands between the two writes what the second reads, and depends on the first.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join an operation that reads what it reads: another operation has to come between them
// CHECK-LABEL: func.func @store
// CHECK-NOT: loop.group
func.func @store(%x: memref<64x32xf32> {llvm.noalias}, %k: f32) -> f32 {
  %c = arith.constant 3 : index
  %y = memref.alloc() : memref<64x32xf32>
  %z = memref.alloc() : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %y {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  memref.store %k, %y[%c, %c] : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %z {
    %a = loop.load %y[%i, %j] : memref<64x32xf32>
    %b = loop.load %x[%i, %j] : memref<64x32xf32>
    %d = arith.addf %a, %b : f32
    loop.yield %d : f32
  } : memref<64x32xf32>
  %r = memref.load %z[%c, %c] : memref<64x32xf32>
  return %r : f32
}
