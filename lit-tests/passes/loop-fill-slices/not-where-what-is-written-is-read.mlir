// What the slice holds is read as the whole buffer.

// RUN: terrace-opt %s --loop-fill-slices --split-input-file | FileCheck %s

// CHECK: loop.scatter
func.func @f(%x: memref<4x6xf32>, %y: memref<8x8xf32>) {
  loop.scatter (%i = 4, %j = 6) into %y {
    %a = loop.load %y[%i, %j + 1] : memref<8x8xf32>
    loop.yield %a at [%i, %j + 1] : f32
  } : memref<8x8xf32>
  return
}

// -----

// CHECK: loop.scatter
func.func @g(%x: tensor<4x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %empty = tensor.empty() : tensor<4x6xf32>
  %sum = loop.reduction add (%i = 4, %j = 6) over (%k = 8) into %empty {
    %a = loop.load %x[%i, %k] : tensor<4x8xf32>
    loop.yield %a : f32
  } : tensor<4x6xf32>
  %0 = loop.scatter (%i = 4, %j = 6) into %y {
    %a = loop.load %sum[%i, %j] : tensor<4x6xf32>
    %b = loop.load %y[%i, %j] : tensor<8x8xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c at [%i, %j + 1] : f32
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
