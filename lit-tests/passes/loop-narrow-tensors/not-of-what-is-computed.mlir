// A product of two numbers of a narrow type is none of it.

// RUN: terrace-opt %s --loop-narrow-tensors | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK: loop.load %{{.*}}[%{{.*}}] : tensor<64xf32>
func.func @product(%a: tensor<64xbf16>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %x = loop.pointwise (%i = 64) into %e {
    %n = loop.load %a[%i] : tensor<64xbf16>
    %w = arith.extf %n : bf16 to f32
    %m = arith.mulf %w, %w : f32
    loop.yield %m : f32
  } : tensor<64xf32>
  %y = loop.pointwise (%i = 64) into %e {
    %v = loop.load %x[%i] : tensor<64xf32>
    loop.yield %v : f32
  } : tensor<64xf32>
  return %y : tensor<64xf32>
}
