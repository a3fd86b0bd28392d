// RUN: terrace-opt %s --kernel-pair-products | FileCheck %s

// The lanes of a block are also stored, each on its own.
// CHECK-LABEL: kernel.func @block
// CHECK-NOT: kernel.add_pairs
kernel.func @block(%x: memref<4096xbf16>, %y: memref<f64>, %z: memref<64xf64>) grid() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c4096 = arith.constant 4096 : index
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %wide_zeros = arith.constant dense<0.0> : tensor<64xf64>
  %s = scf.for %k = %c0 to %c4096 step %c64 iter_args(%acc = %zeros) -> (tensor<64xf32>) {
    %a = kernel.load %x[%k : 64] : memref<4096xbf16>
    %b = arith.extf %a : tensor<64xbf16> to tensor<64xf32>
    %e = arith.mulf %b, %b fastmath<contract> : tensor<64xf32>
    %f = arith.addf %acc, %e fastmath<contract> : tensor<64xf32>
    scf.yield %f : tensor<64xf32>
  }
  %w = arith.extf %s : tensor<64xf32> to tensor<64xf64>
  %u = arith.addf %wide_zeros, %w : tensor<64xf64>
  kernel.store %w, %z[%c0 : 64] : tensor<64xf64>, memref<64xf64>
  %r = kernel.reduce add %u : tensor<64xf64>
  memref.store %r, %y[] : memref<f64>
  kernel.return
}
