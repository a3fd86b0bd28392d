// What is between the two is none of ours, needs the one, and is needed by the other.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join an operation that it depends on: another operation has to come between them
// CHECK-LABEL: func.func @between
// CHECK-NOT: loop.group
func.func @between(%x: tensor<64x32xf32>, %s0: tensor<64x32xf32>, %y0: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %c = arith.constant 3 : index
  %s = loop.pointwise (%i = 64, %j = 32) into %s0 {
    %a = loop.load %x[%i, %j] : tensor<64x32xf32>
    loop.yield %a : f32
  } : tensor<64x32xf32>
  %k = tensor.extract %s[%c, %c] : tensor<64x32xf32>
  %y = loop.pointwise (%i = 64, %j = 32) into %y0 {
    %a = loop.load %s[%i, %j] : tensor<64x32xf32>
    %b = arith.mulf %a, %k : f32
    loop.yield %b : f32
  } : tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
