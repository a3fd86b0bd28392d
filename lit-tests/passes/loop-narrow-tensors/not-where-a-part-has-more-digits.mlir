// One of the loops that write into the tensor writes numbers that the narrow type has not.

// RUN: terrace-opt %s --loop-narrow-tensors | FileCheck %s

// CHECK-LABEL: func.func @joined
// CHECK: loop.scatter (%{{.*}} = 32) into %{{.*}} {
// CHECK: } : tensor<64xf32>
// CHECK: loop.load %{{.*}} : tensor<64xf32>
func.func @joined(%a: tensor<32xf16>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %x = loop.scatter (%i = 32) into %e {
    %n = loop.load %a[%i] : tensor<32xf16>
    %w = arith.extf %n : f16 to f32
    %m = arith.mulf %w, %w : f32
    loop.yield %m at [%i + 32] : f32
  } : tensor<64xf32>
  %y = loop.scatter (%i = 32) into %x {
    %n = loop.load %a[%i] : tensor<32xf16>
    %w = arith.extf %n : f16 to f32
    loop.yield %w at [%i] : f32
  } : tensor<64xf32>
  %f = tensor.empty() : tensor<64xf32>
  %z = loop.pointwise (%i = 64) into %f {
    %v = loop.load %y[%i] : tensor<64xf32>
    loop.yield %v : f32
  } : tensor<64xf32>
  return %z : tensor<64xf32>
}
