// Rows that are read twice must be long enough.

// RUN: terrace-opt %s --loop-split-scan="points=8 least=1024" | FileCheck %s

// CHECK-NOT: loop.reduction
// CHECK: loop.scan
// CHECK-NOT: loop.scan
func.func @f(%x: tensor<512xf32>, %e: tensor<512xf32>) -> tensor<512xf32> {
  %y = loop.scan add (%i = 512) along %i into %e {
    %a = loop.load %x[%i] : tensor<512xf32>
    loop.yield %a : f32
  } : tensor<512xf32>
  return %y : tensor<512xf32>
}
