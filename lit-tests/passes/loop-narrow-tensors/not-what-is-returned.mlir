// The caller expects the wide type, and so does an operation that is no load.

// RUN: terrace-opt %s --loop-narrow-tensors | FileCheck %s

// CHECK-LABEL: func.func @returned
// CHECK-NOT: tensor.empty() : tensor<64xbf16>
// CHECK: return %{{.*}} : tensor<64xf32>
func.func @returned(%a: tensor<64xbf16>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %x = loop.pointwise (%i = 64) into %e {
    %n = loop.load %a[%i] : tensor<64xbf16>
    %w = arith.extf %n : bf16 to f32
    loop.yield %w : f32
  } : tensor<64xf32>
  return %x : tensor<64xf32>
}

// CHECK-LABEL: func.func @reshaped
// CHECK-NOT: tensor.empty() : tensor<64xbf16>
// CHECK: tensor.expand_shape %{{.*}} : tensor<64xf32> into tensor<8x8xf32>
func.func @reshaped(%a: tensor<64xbf16>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %x = loop.pointwise (%i = 64) into %e {
    %n = loop.load %a[%i] : tensor<64xbf16>
    %w = arith.extf %n : bf16 to f32
    loop.yield %w : f32
  } : tensor<64xf32>
  %r = tensor.expand_shape %x [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
  %f = tensor.empty() : tensor<8x8xf32>
  %y = loop.pointwise (%i = 8, %j = 8) into %f {
    %v = loop.load %r[%i, %j] : tensor<8x8xf32>
    loop.yield %v : f32
  } : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
