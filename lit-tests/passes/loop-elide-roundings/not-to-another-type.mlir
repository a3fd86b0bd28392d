// A number of bf16 may have an exponent that f16 has not, and one of f16 more digits than bf16.

// RUN: terrace-opt %s --loop-elide-roundings | FileCheck %s

// CHECK-LABEL: func.func @other
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @other(%x: tensor<64xbf16>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %y = loop.pointwise (%i = 64) into %e {
    %a = loop.load %x[%i] : tensor<64xbf16>
    %w = arith.extf %a : bf16 to f32
    %h = arith.truncf %w : f32 to f16
    %t = arith.extf %h : f16 to f32
    loop.yield %t : f32
  } : tensor<64xf32>
  return %y : tensor<64xf32>
}
