// A sum of two numbers of f16 may have more digits, and so may the sum of a row.

// RUN: terrace-opt %s --loop-elide-roundings | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK: arith.extf
func.func @sum(%x: tensor<64xf16>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %y = loop.pointwise (%i = 64) into %e {
    %a = loop.load %x[%i] : tensor<64xf16>
    %w = arith.extf %a : f16 to f32
    %s = arith.addf %w, %w : f32
    %h = arith.truncf %s : f32 to f16
    %t = arith.extf %h : f16 to f32
    loop.yield %t : f32
  } : tensor<64xf32>
  return %y : tensor<64xf32>
}

// CHECK-LABEL: func.func @row
// CHECK: loop.reduction add
// CHECK: loop.pointwise
// CHECK: arith.truncf
func.func @row(%x: tensor<8x64xf16>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %s = loop.reduction add (%i = 8) over (%j = 64) into %e {
    %a = loop.load %x[%i, %j] : tensor<8x64xf16>
    %w = arith.extf %a : f16 to f32
    loop.yield %w : f32
  } : tensor<8xf32>
  %y = loop.pointwise (%i = 8) into %e {
    %a = loop.load %s[%i] : tensor<8xf32>
    %h = arith.truncf %a : f32 to f16
    %t = arith.extf %h : f16 to f32
    loop.yield %t : f32
  } : tensor<8xf32>
  return %y : tensor<8xf32>
}
