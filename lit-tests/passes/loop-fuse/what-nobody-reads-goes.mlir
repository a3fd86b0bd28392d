// RUN: terrace-opt %s --loop-fuse | FileCheck %s

// Operations that only each other read make no group, for it would have nowhere to write to: they go.
// CHECK-LABEL: func.func @unused
// CHECK-NOT: loop.group
// CHECK: loop.pointwise
// CHECK-NOT: loop.pointwise
// CHECK: return
func.func @unused(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = loop.pointwise (%i = 4, %j = 8) into %e {
    %v = loop.load %x[%i, %j] : tensor<4x8xf32>
    %w = arith.addf %v, %v : f32
    loop.yield %w : f32
  } : tensor<4x8xf32>
  %1 = loop.scan add (%i = 4, %j = 8) along %j into %e {
    %v = loop.load %0[%i, %j] : tensor<4x8xf32>
    loop.yield %v : f32
  } : tensor<4x8xf32>
  %2 = loop.pointwise (%i = 4, %j = 8) into %e {
    %v = loop.load %0[%i, %j] : tensor<4x8xf32>
    %w = loop.load %1[%i, %j] : tensor<4x8xf32>
    %s = arith.addf %v, %w : f32
    loop.yield %s : f32
  } : tensor<4x8xf32>
  %3 = loop.pointwise (%i = 4, %j = 8) into %e {
    %v = loop.load %x[%i, %j] : tensor<4x8xf32>
    %w = arith.mulf %v, %v : f32
    loop.yield %w : f32
  } : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}
