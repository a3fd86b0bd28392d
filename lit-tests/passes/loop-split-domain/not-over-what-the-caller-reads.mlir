// The destination is read, and is the caller's: no part may write it before another one reads it.

// RUN: terrace-opt %s --loop-split-domain | FileCheck %s

// CHECK: loop.scatter
// CHECK: loop.pointwise
// CHECK-NOT: loop.scatter
func.func @over(%x: tensor<32xf32>, %e: tensor<64xf32>, %own: tensor<64xf32>) -> tensor<64xf32> {
  %0 = loop.scatter (%i = 32) into %e {
    %a = loop.load %x[%i] : tensor<32xf32>
    loop.yield %a at [%i + 8] : f32
  } : tensor<64xf32>
  %1 = loop.pointwise (%i = 64) into %own {
    %a = loop.load %0[%i] : tensor<64xf32>
    %b = loop.load %own[%i] : tensor<64xf32>
    %s = arith.addf %a, %b : f32
    loop.yield %s : f32
  } : tensor<64xf32>
  return %1 : tensor<64xf32>
}
