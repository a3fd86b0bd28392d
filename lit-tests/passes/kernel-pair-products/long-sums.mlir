// RUN: terrace-opt %s --kernel-pair-products | FileCheck %s

// A long sum has its blocks in f32 and their totals in f64: both have half as many lanes.
// CHECK-LABEL: kernel.func @long
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<32xf64>
// CHECK: %[[TOTAL:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<32xf64>)
// CHECK: %[[BLOCK:.*]] = scf.for {{.*}} -> (tensor<32xf32>)
// CHECK: kernel.add_pairs %{{.*}} : tensor<64xbf16>, tensor<32xf32>
// CHECK: %[[WIDE:.*]] = arith.extf %[[BLOCK]] : tensor<32xf32> to tensor<32xf64>
// CHECK: arith.addf %[[ACC]], %[[WIDE]] : tensor<32xf64>
// CHECK: kernel.reduce add %[[TOTAL]] : tensor<32xf64>
kernel.func @long(%x: memref<32768xbf16>, %y: memref<f64>) grid() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  %c32768 = arith.constant 32768 : index
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %wide_zeros = arith.constant dense<0.0> : tensor<64xf64>
  %t = scf.for %i = %c0 to %c32768 step %c4096 iter_args(%total = %wide_zeros) -> (tensor<64xf64>) {
    %end = arith.addi %i, %c4096 : index
    %s = scf.for %k = %i to %end step %c64 iter_args(%acc = %zeros) -> (tensor<64xf32>) {
      %a = kernel.load %x[%k : 64] : memref<32768xbf16>
      %b = arith.extf %a : tensor<64xbf16> to tensor<64xf32>
      %e = arith.mulf %b, %b fastmath<contract> : tensor<64xf32>
      %f = arith.addf %acc, %e fastmath<contract> : tensor<64xf32>
      scf.yield %f : tensor<64xf32>
    }
    %w = arith.extf %s : tensor<64xf32> to tensor<64xf64>
    %u = arith.addf %total, %w : tensor<64xf64>
    scf.yield %u : tensor<64xf64>
  }
  %r = kernel.reduce add %t : tensor<64xf64>
  memref.store %r, %y[] : memref<f64>
  kernel.return
}
