// A body with a loop is not written again elsewhere.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: runs alone: its body has more than arith, math and loads
// CHECK-LABEL: func.func @powers
// CHECK-NOT: loop.group
func.func @powers(%x: tensor<64x32xf32>, %e0: tensor<64x32xf32>, %y0: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %e = loop.pointwise (%i = 64, %j = 32) into %e0 {
    %a = loop.load %x[%i, %j] : tensor<64x32xf32>
    %p = scf.for %k = %c0 to %c5 step %c1 iter_args(%b = %a) -> (f32) {
      %c = arith.mulf %b, %a : f32
      scf.yield %c : f32
    }
    loop.yield %p : f32
  } : tensor<64x32xf32>
  %y = loop.pointwise (%i = 64, %j = 32) into %y0 {
    %a = loop.load %e[%i, %j] : tensor<64x32xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
