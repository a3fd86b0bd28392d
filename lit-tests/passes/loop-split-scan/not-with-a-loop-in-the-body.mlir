// The body would be written three times, with all that it does.

// RUN: terrace-opt %s --loop-split-scan="points=8 least=1024" | FileCheck %s

// CHECK-NOT: loop.reduction
// CHECK: loop.scan
// CHECK-NOT: loop.scan
func.func @f(%x: tensor<65536xf32>, %e: tensor<65536xf32>) -> tensor<65536xf32> {
  %y = loop.scan add (%i = 65536) along %i into %e {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f32
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%t = %z) -> (f32) {
      %u = arith.addf %t, %t : f32
      scf.yield %u : f32
    }
    loop.yield %s : f32
  } : tensor<65536xf32>
  return %y : tensor<65536xf32>
}
