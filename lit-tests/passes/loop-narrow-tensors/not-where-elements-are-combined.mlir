// Sums in a narrow type would be others, though what comes of them is rounded.

// RUN: terrace-opt %s --loop-narrow-tensors | FileCheck %s

// CHECK-LABEL: func.func @sums
// CHECK: loop.scatter
// CHECK: } : tensor<8xf32>
// CHECK: loop.load %{{.*}} : tensor<8xf32>
func.func @sums(%a: tensor<64xf16>, %at: tensor<64xi64>) -> tensor<8xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %s = loop.pointwise (%i = 8) into %e {
    loop.yield %zero : f32
  } : tensor<8xf32>
  %x = loop.scatter add (%i = 64) into %s {
    %j = loop.load %at[%i] : tensor<64xi64>
    %k = arith.index_cast %j : i64 to index
    %n = loop.load %a[%i] : tensor<64xf16>
    %w = arith.extf %n : f16 to f32
    loop.yield %w at [%k] : f32
  } : tensor<8xf32>
  %f = tensor.empty() : tensor<8xf16>
  %y = loop.pointwise (%i = 8) into %f {
    %v = loop.load %x[%i] : tensor<8xf32>
    %h = arith.truncf %v : f32 to f16
    loop.yield %h : f16
  } : tensor<8xf16>
  return %y : tensor<8xf16>
}
