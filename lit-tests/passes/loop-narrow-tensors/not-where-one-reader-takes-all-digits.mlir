// One reader rounds what it reads, the other does not.

// RUN: terrace-opt %s --loop-narrow-tensors | FileCheck %s

// CHECK-LABEL: func.func @readers
// CHECK: loop.load %{{.*}} : tensor<64xf32>
// CHECK: loop.load %{{.*}} : tensor<64xf32>
// CHECK: loop.load %{{.*}} : tensor<64xf32>
func.func @readers(%a: tensor<64xf32>) -> (tensor<64xf16>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %x = loop.pointwise (%i = 64) into %e {
    %n = loop.load %a[%i] : tensor<64xf32>
    %w = arith.addf %n, %n : f32
    loop.yield %w : f32
  } : tensor<64xf32>
  %z = loop.pointwise (%i = 64) into %e {
    %v = loop.load %x[%i] : tensor<64xf32>
    %w = arith.mulf %v, %v : f32
    loop.yield %w : f32
  } : tensor<64xf32>
  %f = tensor.empty() : tensor<64xf16>
  %y = loop.pointwise (%i = 64) into %f {
    %v = loop.load %x[%i] : tensor<64xf32>
    %h = arith.truncf %v : f32 to f16
    loop.yield %h : f16
  } : tensor<64xf16>
  return %y, %z : tensor<64xf16>, tensor<64xf32>
}
