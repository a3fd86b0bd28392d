// A loop in a body is one loop around tiles; what is the same for all lanes stays a number.
// RUN: terrace-opt %s --convert-loop-to-kernel=tile=16 --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: kernel.func @f.pointwise_0
// CHECK: %[[X:.*]] = kernel.load
// CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V:.*]] = %[[X]]) -> (tensor<16xf32>)
// CHECK: %[[W:.*]] = arith.mulf %[[V]], %[[X]] : tensor<16xf32>
// CHECK: scf.yield %[[W]] : tensor<16xf32>
// CHECK: kernel.store %[[R]]
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  loop.pointwise (%i = 64) into %y {
    %a = loop.load %x[%i] : memref<64xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %b = scf.for %k = %c0 to %c9 step %c1 iter_args(%v = %a) -> (f32) {
      %w = arith.mulf %v, %a : f32
      scf.yield %w : f32
    }
    loop.yield %b : f32
  } : memref<64xf32>
  return
}

// -----

func.func @rounds_that_differ(%n: memref<64xindex>, %y: memref<64xf32>) {
  loop.pointwise (%i = 64) into %y {
    %count = loop.load %n[%i] : memref<64xindex>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.0 : f32
    // expected-error @+1 {{'scf.for' op runs more rounds at some points than at others}}
    %b = scf.for %k = %c0 to %count step %c1 iter_args(%v = %one) -> (f32) {
      %w = arith.addf %v, %one : f32
      scf.yield %w : f32
    }
    loop.yield %b : f32
  } : memref<64xf32>
  return
}
