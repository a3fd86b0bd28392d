// A version in between is needed anyway.

// RUN: terrace-opt %s --loop-split-domain | FileCheck %s

// CHECK: loop.scatter
// CHECK: loop.pointwise
// CHECK-NOT: loop.scatter
func.func @version(%x: tensor<32xf32>, %e: tensor<64xf32>, %init: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = loop.scatter (%i = 32) into %e {
    %a = loop.load %x[%i] : tensor<32xf32>
    loop.yield %a at [%i] : f32
  } : tensor<64xf32>
  %1 = loop.scatter (%i = 32) into %0 {
    %a = loop.load %x[%i] : tensor<32xf32>
    loop.yield %a at [%i + 32] : f32
  } : tensor<64xf32>
  %2 = loop.pointwise (%i = 64) into %init {
    %a = loop.load %1[%i] : tensor<64xf32>
    %n = math.exp %a : f32
    loop.yield %n : f32
  } : tensor<64xf32>
  return %0, %2 : tensor<64xf32>, tensor<64xf32>
}
