// A point reads what the point before it wrote.
// RUN: terrace-opt %s --loop-fuse="small=0" --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK-COUNT-2: does not join an operation that it depends on: they have no dimension in common but that of the lanes
// CHECK-LABEL: func.func @shifted
// CHECK-NOT: loop.group
func.func @shifted(%x: memref<64x32xf32>, %k: tensor<64x32xf32>) {
  %y = memref.alloc() : memref<64x32xf32>
  %z = memref.alloc() : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %y {
    %a = loop.load %k[%i, %j] : tensor<64x32xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %z {
    %a = loop.load %y[(%i + 63) mod 64, %j] : memref<64x32xf32>
    %b = loop.load %k[%i, %j] : tensor<64x32xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : memref<64x32xf32>
  memref.copy %z, %x : memref<64x32xf32> to memref<64x32xf32>
  return
}

// Of tensors too, whatever else both read at one point.
// CHECK-LABEL: func.func @tensors
// CHECK-NOT: loop.group
func.func @tensors(%x: tensor<64x32xf32>, %y0: tensor<64x32xf32>, %z0: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %y = loop.pointwise (%i = 64, %j = 32) into %y0 {
    %a = loop.load %x[%i, %j] : tensor<64x32xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<64x32xf32>
  %z = loop.pointwise (%i = 64, %j = 32) into %z0 {
    %a = loop.load %y[(%i + 63) mod 64, %j] : tensor<64x32xf32>
    %b = loop.load %x[%i, %j] : tensor<64x32xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x32xf32>
  return %z : tensor<64x32xf32>
}
