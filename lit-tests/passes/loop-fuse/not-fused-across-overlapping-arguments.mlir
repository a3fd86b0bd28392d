// Two arguments of which nothing is said may be one buffer, shifted by a row. With `llvm.noalias` they are not.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join an operation that it depends on: one may read, through another name, what the other writes
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: loop.group
// CHECK-LABEL: func.func @apart
// CHECK: loop.group
func.func @unknown(%x: memref<64x32xf32>, %y: memref<64x32xf32>, %k: tensor<64x32xf32>) -> f32 {
  %c = arith.constant 3 : index
  %z = memref.alloc() : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %y {
    %a = loop.load %k[%i, %j] : tensor<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %z {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  %r = memref.load %z[%c, %c] : memref<64x32xf32>
  return %r : f32
}
func.func @apart(%x: memref<64x32xf32> {llvm.noalias}, %y: memref<64x32xf32> {llvm.noalias}, %z: memref<64x32xf32>) {
  loop.pointwise (%i = 64, %j = 32) into %y {
    %a = loop.load %x[%i, %j] : memref<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %x {
    %a = loop.load %y[%i, %j] : memref<64x32xf32>
    %b = loop.load %z[%i, %j] : memref<64x32xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : memref<64x32xf32>
  return
}
