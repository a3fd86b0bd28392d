// The second writes rows that other points of the first have yet to read.
// RUN: terrace-opt %s --loop-fuse="small=0" --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK-DAG: does not join an operation that it depends on: they have no dimension in common but that of the lanes
// CHECK-DAG: does not join an operation that reads what it reads: they have no dimension in common but that of the lanes
// CHECK-LABEL: func.func @reversed
// CHECK-NOT: loop.group
func.func @reversed(%k: tensor<64x32xf32>) -> f32 {
  %c = arith.constant 3 : index
  %x = memref.alloc() : memref<64x32xf32>
  %y = memref.alloc() : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %y {
    %a = loop.load %x[63 - %i, %j] : memref<64x32xf32>
    %b = loop.load %k[%i, %j] : tensor<64x32xf32>
    %d = arith.addf %a, %b : f32
    loop.yield %d : f32
  } : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %x {
    %a = loop.load %k[%i, %j] : tensor<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  %r = memref.load %y[%c, %c] : memref<64x32xf32>
  return %r : f32
}

// A tensor that is written over is the same memory later on.
// CHECK-LABEL: func.func @tensors
// CHECK-NOT: loop.group
func.func @tensors(%x: tensor<64x32xf32>, %k: tensor<64x32xf32>, %y0: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %y = loop.pointwise (%i = 64, %j = 32) into %y0 {
    %a = loop.load %k[%i, %j] : tensor<64x32xf32>
    %b = loop.load %x[63 - %i, %j] : tensor<64x32xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x32xf32>
  %z = loop.pointwise (%i = 64, %j = 32) into %x {
    %a = loop.load %k[%i, %j] : tensor<64x32xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<64x32xf32>
  return %y, %z : tensor<64x32xf32>, tensor<64x32xf32>
}
