// What several points write is combined first.

// RUN: terrace-opt %s --loop-split-domain | FileCheck %s

// CHECK: loop.scatter
// CHECK: loop.pointwise
// CHECK-NOT: loop.scatter
func.func @combined(%x: tensor<64xf32>, %e: tensor<64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %0 = loop.scatter add (%i = 64) into %e {
    %a = loop.load %x[%i] : tensor<64xf32>
    loop.yield %a at [%i] : f32
  } : tensor<64xf32>
  %1 = loop.pointwise (%i = 64) into %init {
    %a = loop.load %0[%i] : tensor<64xf32>
    %n = math.exp %a : f32
    loop.yield %n : f32
  } : tensor<64xf32>
  return %1 : tensor<64xf32>
}
