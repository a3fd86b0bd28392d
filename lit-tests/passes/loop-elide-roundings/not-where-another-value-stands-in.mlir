// A tenth, which stands where the mask lets nothing be read, is no number of f16; nor is one of the two that are
// selected.

// RUN: terrace-opt %s --loop-elide-roundings | FileCheck %s

// CHECK-LABEL: func.func @masked
// CHECK: arith.truncf
func.func @masked(%x: tensor<64xf32>, %m: tensor<64xi1>, %z: tensor<64xf16>) -> tensor<64xf32> {
  %tenth = arith.constant 0.1 : f32
  %e = tensor.empty() : tensor<64xf32>
  %s = loop.pointwise (%i = 64) into %e {
    %a = loop.load %z[%i] : tensor<64xf16>
    %w = arith.extf %a : f16 to f32
    loop.yield %w : f32
  } : tensor<64xf32>
  %y = loop.pointwise (%i = 64) into %e {
    %q = loop.load %m[%i] : tensor<64xi1>
    %a = loop.load %s[%i] if %q else %tenth : tensor<64xf32>, f32
    %h = arith.truncf %a : f32 to f16
    %t = arith.extf %h : f16 to f32
    loop.yield %t : f32
  } : tensor<64xf32>
  return %y : tensor<64xf32>
}

// CHECK-LABEL: func.func @selected
// CHECK: arith.truncf
func.func @selected(%m: tensor<64xi1>, %z: tensor<64xf16>) -> tensor<64xf32> {
  %tenth = arith.constant 0.1 : f32
  %e = tensor.empty() : tensor<64xf32>
  %y = loop.pointwise (%i = 64) into %e {
    %q = loop.load %m[%i] : tensor<64xi1>
    %a = loop.load %z[%i] : tensor<64xf16>
    %w = arith.extf %a : f16 to f32
    %s = arith.select %q, %w, %tenth : f32
    %h = arith.truncf %s : f32 to f16
    %t = arith.extf %h : f16 to f32
    loop.yield %t : f32
  } : tensor<64xf32>
  return %y : tensor<64xf32>
}
