// What has no form on the threads of a GPU; with partial it stays as it is.
// RUN: terrace-opt %s -convert-kernel-to-nvptx -split-input-file -verify-diagnostics
// RUN: terrace-opt %s -convert-kernel-to-nvptx=partial=true -split-input-file | FileCheck %s --implicit-check-not=gpu.

// CHECK: kernel.func @two_dimensions
kernel.func @two_dimensions(%x: memref<8x32xf32>) grid() {
  %c0 = arith.constant 0 : index
  // expected-error @below {{has the tile tensor<8x32xf32>: on a GPU a tile has one dimension, of one element at least}}
  %a = kernel.load %x[%c0 : 8, %c0 : 32] : memref<8x32xf32>
  kernel.store %a, %x[%c0 : 8, %c0 : 32] : tensor<8x32xf32>, memref<8x32xf32>
  kernel.return
}

// -----

// CHECK: kernel.func @dynamic_sizes
// expected-error @below {{takes memref<?xf32>: on a GPU a buffer is a bare pointer, its sizes, strides and offset have to be static}}
kernel.func @dynamic_sizes(%x: memref<?xf32>) grid() {
  kernel.return
}

// -----

// CHECK: kernel.func @dynamic_strides
// expected-error @below {{on a GPU a buffer is a bare pointer}}
kernel.func @dynamic_strides(%x: memref<4xf32, strided<[?]>>) grid() {
  kernel.return
}

// -----

// CHECK: kernel.func @allocates
kernel.func @allocates() grid() {
  // expected-error @below {{has no form on the threads of a GPU}}
  %a = memref.alloc() : memref<4xf32>
  kernel.return
}

// -----

// CHECK: kernel.func @too_many_blocks
// expected-error @below {{has 4294967296 grid points: a GPU runs fewer than 2147483648 blocks}}
kernel.func @too_many_blocks() grid(%i in 65536, %j in 65536) {
  kernel.return
}
