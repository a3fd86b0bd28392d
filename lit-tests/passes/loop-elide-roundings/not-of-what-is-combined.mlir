// A sum of numbers of a narrow type is none of it.

// RUN: terrace-opt %s --loop-elide-roundings | FileCheck %s

// CHECK-LABEL: func.func @sums
// CHECK: arith.truncf
func.func @sums(%a: tensor<64xf16>, %at: tensor<64xi64>) -> tensor<8xf32> {
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
  %y = loop.pointwise (%i = 8) into %e {
    %v = loop.load %x[%i] : tensor<8xf32>
    %h = arith.truncf %v : f32 to f16
    %w = arith.extf %h : f16 to f32
    loop.yield %w : f32
  } : tensor<8xf32>
  return %y : tensor<8xf32>
}
