// RUN: terrace-opt %s --kernel-pair-products --canonicalize | FileCheck %s

// Neighbours go to one lane, in the loop and in what is left over of a row.
// CHECK-LABEL: kernel.func @row
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<32xf32>
// CHECK: %[[LOOP:.*]] = scf.for %{{.*}} iter_args(%[[ACC:.*]] = %[[ZEROS]]) -> (tensor<32xf32>)
// CHECK: %[[A:.*]] = kernel.load
// CHECK: %[[B:.*]] = kernel.load
// CHECK-NOT: arith.extf
// CHECK: %[[S:.*]] = kernel.add_pairs %[[A]], %[[B]], %[[ACC]] : tensor<64xbf16>, tensor<32xf32>
// CHECK: scf.yield %[[S]] : tensor<32xf32>
// CHECK: %[[ALL:.*]] = kernel.add_pairs %{{.*}}, %{{.*}}, %[[LOOP]] : tensor<64xbf16>, tensor<32xf32>
// CHECK: kernel.reduce add %[[ALL]] : tensor<32xf32>
kernel.func @row(%x: memref<1000xbf16>, %w: memref<1000xbf16>, %y: memref<f32>) grid() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c40 = arith.constant 40 : index
  %c960 = arith.constant 960 : index
  %none = arith.constant 0.0 : bf16
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %s = scf.for %k = %c0 to %c960 step %c64 iter_args(%acc = %zeros) -> (tensor<64xf32>) {
    %a = kernel.load %x[%k : 64] : memref<1000xbf16>
    %b = kernel.load %w[%k : 64] : memref<1000xbf16>
    %c = arith.extf %a : tensor<64xbf16> to tensor<64xf32>
    %d = arith.extf %b : tensor<64xbf16> to tensor<64xf32>
    %e = arith.mulf %c, %d fastmath<contract> : tensor<64xf32>
    %f = arith.addf %acc, %e fastmath<contract> : tensor<64xf32>
    scf.yield %f : tensor<64xf32>
  }
  %a = kernel.load %x[%c960 : 64] valid(%c40) else %none : memref<1000xbf16>, bf16
  %b = kernel.load %w[%c960 : 64] valid(%c40) else %none : memref<1000xbf16>, bf16
  %c = arith.extf %a : tensor<64xbf16> to tensor<64xf32>
  %d = arith.extf %b : tensor<64xbf16> to tensor<64xf32>
  %e = arith.mulf %c, %d fastmath<contract> : tensor<64xf32>
  %f = arith.addf %s, %e fastmath<contract> : tensor<64xf32>
  %r = kernel.reduce add %f : tensor<64xf32>
  memref.store %r, %y[] : memref<f32>
  kernel.return
}

// One of two sums that a loop carries, of squares; the other one is of numbers.
// CHECK-LABEL: kernel.func @squares
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[ACC:.*]] = %{{.*}}) -> (tensor<64xf32>, tensor<32xf32>)
// CHECK: kernel.add_pairs %[[A:.*]], %[[A]], %[[ACC]]
kernel.func @squares(%x: memref<1024xbf16>, %y: memref<2xf32>) grid() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %s:2 = scf.for %k = %c0 to %c1024 step %c64 iter_args(%t = %zeros, %u = %zeros) -> (tensor<64xf32>, tensor<64xf32>) {
    %a = kernel.load %x[%k : 64] : memref<1024xbf16>
    %b = arith.extf %a : tensor<64xbf16> to tensor<64xf32>
    %c = arith.addf %t, %b : tensor<64xf32>
    %d = arith.mulf %b, %b fastmath<contract> : tensor<64xf32>
    %e = arith.addf %u, %d fastmath<contract> : tensor<64xf32>
    scf.yield %c, %e : tensor<64xf32>, tensor<64xf32>
  }
  %m = kernel.reduce add %s#0 : tensor<64xf32>
  %v = kernel.reduce add %s#1 : tensor<64xf32>
  memref.store %m, %y[%c0] : memref<2xf32>
  memref.store %v, %y[%c1] : memref<2xf32>
  kernel.return
}
