// 65,537 is a prime: no blocks are equal.

// RUN: terrace-opt %s --loop-split-scan="points=8 least=1024" | FileCheck %s

// CHECK-NOT: loop.reduction
// CHECK: loop.scan
// CHECK-NOT: loop.scan
func.func @f(%x: tensor<65537xf32>, %e: tensor<65537xf32>) -> tensor<65537xf32> {
  %y = loop.scan add (%i = 65537) along %i into %e {
    %a = loop.load %x[%i] : tensor<65537xf32>
    loop.yield %a : f32
  } : tensor<65537xf32>
  return %y : tensor<65537xf32>
}
