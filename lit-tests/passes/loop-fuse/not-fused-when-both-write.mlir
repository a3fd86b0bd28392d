// The points of a group write different elements, so no two members have one destination.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join an operation that it depends on: both write memory that may be the same
// CHECK-LABEL: func.func @twice
// CHECK-NOT: loop.group
func.func @twice(%x: memref<64x32xf32> {llvm.noalias}, %y: memref<64x32xf32> {llvm.noalias}) {
  loop.pointwise (%i = 64, %j = 32) into %y {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %y {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    %b = arith.addf %a, %a : f32
    loop.yield %b : f32
  } : memref<64x32xf32>
  return
}
