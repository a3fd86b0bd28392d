// RUN: terrace-opt %s --kernel-pair-products | FileCheck %s

// Products, or sums, are rounded each.
// CHECK-NOT: kernel.add_pairs
kernel.func @k(%x: memref<1024xbf16>, %y: memref<f32>) grid() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %s = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zeros) -> (tensor<64xf32>) {
    %a = kernel.load %x[%k : 64] : memref<1024xbf16>
    %b = arith.extf %a : tensor<64xbf16> to tensor<64xf32>
    %e = arith.mulf %b, %b fastmath<contract> : tensor<64xf32>
    %f = arith.addf %acc, %e : tensor<64xf32>
    scf.yield %f : tensor<64xf32>
  }
  %r = kernel.reduce add %s : tensor<64xf32>
  memref.store %r, %y[] : memref<f32>
  kernel.return
}
kernel.func @l(%x: memref<1024xbf16>, %y: memref<f32>) grid() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %s = scf.for %k = %c0 to %c1024 step %c64 iter_args(%acc = %zeros) -> (tensor<64xf32>) {
    %a = kernel.load %x[%k : 64] : memref<1024xbf16>
    %b = arith.extf %a : tensor<64xbf16> to tensor<64xf32>
    %e = arith.mulf %b, %b : tensor<64xf32>
    %f = arith.addf %acc, %e fastmath<contract> : tensor<64xf32>
    scf.yield %f : tensor<64xf32>
  }
  %r = kernel.reduce add %s : tensor<64xf32>
  memref.store %r, %y[] : memref<f32>
  kernel.return
}
