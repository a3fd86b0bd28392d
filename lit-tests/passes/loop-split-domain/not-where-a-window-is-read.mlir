// A window of what was joined is read: parts would be written beside it.

// RUN: terrace-opt %s --loop-split-domain | FileCheck %s

// CHECK: func.func @window(
// CHECK: loop.scatter
// CHECK: loop.pointwise
// CHECK-NOT: loop.scatter
func.func @window(%x: tensor<64xf32>, %init: tensor<32xf32>) -> tensor<32xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = loop.scatter (%i = 64) into %e {
    %a = loop.load %x[%i] : tensor<64xf32>
    loop.yield %a at [%i] : f32
  } : tensor<64xf32>
  %1 = loop.pointwise (%i = 32) into %init {
    %a = loop.load %0[%i] : tensor<64xf32>
    %n = arith.negf %a : f32
    loop.yield %n : f32
  } : tensor<32xf32>
  return %1 : tensor<32xf32>
}

// CHECK: func.func @of_the_run(
// CHECK: loop.scatter
// CHECK: loop.pointwise
// CHECK-NOT: loop.scatter
func.func @of_the_run(%x: tensor<?xf32>, %n: index, %m: index, %init: tensor<?xf32>) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = loop.scatter (%i = %n) into %e {
    %a = loop.load %x[%i] : tensor<?xf32>
    loop.yield %a at [%i] : f32
  } : tensor<?xf32>
  %1 = loop.pointwise (%i = %m) into %init {
    %a = loop.load %0[%i] : tensor<?xf32>
    %b = arith.negf %a : f32
    loop.yield %b : f32
  } : tensor<?xf32>
  return %1 : tensor<?xf32>
}
