// What is before a block is not what its first point counts.

// RUN: terrace-opt %s --loop-split-scan="points=8 least=1024" | FileCheck %s

// CHECK-NOT: loop.reduction
// CHECK: loop.scan
// CHECK-NOT: loop.scan
func.func @f(%x: tensor<65536xf32>, %e: tensor<65536xf32>) -> tensor<65536xf32> {
  %y = loop.scan add exclusive (%i = 65536) along %i into %e {
    %a = loop.load %x[%i] : tensor<65536xf32>
    loop.yield %a : f32
  } : tensor<65536xf32>
  return %y : tensor<65536xf32>
}
