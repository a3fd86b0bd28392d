// Of a tensor a part was written with numbers of a narrow type; what else is in it has more digits.

// RUN: terrace-opt %s --loop-elide-roundings | FileCheck %s

// CHECK-LABEL: func.func @part
// CHECK: arith.truncf
func.func @part(%a: tensor<32xf16>, %e: tensor<64xf32>) -> tensor<64xf32> {
  %x = loop.scatter (%i = 32) into %e {
    %n = loop.load %a[%i] : tensor<32xf16>
    %w = arith.extf %n : f16 to f32
    loop.yield %w at [%i] : f32
  } : tensor<64xf32>
  %f = tensor.empty() : tensor<64xf32>
  %y = loop.pointwise (%i = 64) into %f {
    %v = loop.load %x[%i] : tensor<64xf32>
    %h = arith.truncf %v : f32 to f16
    %w = arith.extf %h : f16 to f32
    loop.yield %w : f32
  } : tensor<64xf32>
  return %y : tensor<64xf32>
}
