// Where nothing is read another number stands in, which the narrow type has not.

// RUN: terrace-opt %s --loop-narrow-tensors | FileCheck %s

// CHECK-LABEL: func.func @tenth
// CHECK: loop.load %{{.*}} if %{{.*}} : tensor<64xf32>, f32
func.func @tenth(%a: tensor<64xbf16>) -> tensor<64xf32> {
  %c8 = arith.constant 8 : index
  %tenth = arith.constant 0.1 : f32
  %e = tensor.empty() : tensor<64xf32>
  %x = loop.pointwise (%i = 64) into %e {
    %n = loop.load %a[%i] : tensor<64xbf16>
    %w = arith.extf %n : bf16 to f32
    loop.yield %w : f32
  } : tensor<64xf32>
  %y = loop.pointwise (%i = 64) into %e {
    %in = arith.cmpi ult, %i, %c8 : index
    %v = loop.load %x[%i] if %in else %tenth : tensor<64xf32>, f32
    loop.yield %v : f32
  } : tensor<64xf32>
  return %y : tensor<64xf32>
}
