// Elements that lie apart, and places that are looked up, are no box.

// RUN: terrace-opt %s --loop-split-domain | FileCheck %s

// CHECK: loop.scatter
// CHECK: loop.pointwise
// CHECK-NOT: loop.scatter
func.func @apart(%x: tensor<32xf32>, %e: tensor<64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %0 = loop.scatter (%i = 32) into %e {
    %a = loop.load %x[%i] : tensor<32xf32>
    loop.yield %a at [%i * 2] : f32
  } : tensor<64xf32>
  %1 = loop.pointwise (%i = 64) into %init {
    %a = loop.load %0[%i] : tensor<64xf32>
    %n = math.exp %a : f32
    loop.yield %n : f32
  } : tensor<64xf32>
  return %1 : tensor<64xf32>
}

// CHECK: func.func @looked_up(
// CHECK: loop.scatter
// CHECK: loop.pointwise
// CHECK-NOT: loop.scatter
func.func @looked_up(%x: tensor<32xf32>, %at: tensor<32xindex>, %e: tensor<64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %0 = loop.scatter (%i = 32) into %e {
    %a = loop.load %x[%i] : tensor<32xf32>
    %p = loop.load %at[%i] : tensor<32xindex>
    loop.yield %a at [%p] : f32
  } : tensor<64xf32>
  %1 = loop.pointwise (%i = 64) into %init {
    %a = loop.load %0[%i] : tensor<64xf32>
    %n = math.exp %a : f32
    loop.yield %n : f32
  } : tensor<64xf32>
  return %1 : tensor<64xf32>
}
