// What is made in a loop may not lie where the next round reads.
// RUN: terrace-opt %s --loop-reuse-destinations | FileCheck %s

// CHECK-LABEL: func.func @round
//       CHECK:   scf.for
//       CHECK:     %[[E:.*]] = tensor.empty
//       CHECK:     loop.pointwise {{.*}} into %[[E]]
func.func @round(%x: tensor<4xf32>, %init: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %zero to %n step %one iter_args(%sum = %init) -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %y = loop.pointwise (%i = 4) into %e {
      %a = loop.load %x[%i] : tensor<4xf32>
      %b = arith.addf %a, %a : f32
      loop.yield %b : f32
    } : tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
