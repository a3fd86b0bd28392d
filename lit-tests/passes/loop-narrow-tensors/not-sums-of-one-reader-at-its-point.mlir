// A loop that rounds each sum at its own point is fused with them as it is.

// RUN: terrace-opt %s --loop-narrow-tensors | FileCheck %s

// CHECK-LABEL: func.func @sums
// CHECK: loop.reduction
// CHECK: loop.pointwise
// CHECK-NOT: loop.pointwise
func.func @sums(%a: tensor<64x8xf32>) -> tensor<64xf16> {
  %e = tensor.empty() : tensor<64xf32>
  %x = loop.reduction add (%i = 64) over (%k = 8) into %e {
    %n = loop.load %a[%i, %k] : tensor<64x8xf32>
    loop.yield %n : f32
  } : tensor<64xf32>
  %f = tensor.empty() : tensor<64xf16>
  %y = loop.pointwise (%i = 64) into %f {
    %v = loop.load %x[%i] : tensor<64xf32>
    %h = arith.truncf %v : f32 to f16
    %w = arith.extf %h : f16 to f32
    %m = arith.mulf %w, %w : f32
    %o = arith.truncf %m : f32 to f16
    loop.yield %o : f16
  } : tensor<64xf16>
  return %y : tensor<64xf16>
}
