// What has no form on the threads of a GPU; with partial it stays as it is.
// RUN: terrace-opt %s -convert-kernel-to-nvptx -split-input-file -verify-diagnostics
// RUN: terrace-opt %s -convert-kernel-to-nvptx=partial=true -split-input-file | FileCheck %s --implicit-check-not=gpu.

// CHECK: kernel.func @no_layout
kernel.func @no_layout(%x: memref<32xf32>) grid() {
  %c0 = arith.constant 0 : index
  // expected-error @below {{has the tile tensor<32xf32> without a layout: run 'kernel-assign-layouts' first}}
  %a = kernel.load %x[%c0 : 32] : memref<32xf32>
  kernel.store %a, %x[%c0 : 32] : tensor<32xf32>, memref<32xf32>
  kernel.return
}

// -----

// CHECK: kernel.func @too_much_to_exchange
kernel.func @too_much_to_exchange(%x: memref<16384xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 16384] layout <threads = [256], vector = [4]> : memref<16384xf32>
  // expected-error @below {{makes the threads exchange 65536 bytes in all: a block shares 49152}}
  %b = kernel.convert_layout %a : tensor<16384xf32, #kernel.layout<threads = [256], vector = [4]>>
    -> tensor<16384xf32, #kernel.layout<threads = [256], vector = [64]>>
  kernel.store %b, %x[%c0 : 16384] : tensor<16384xf32, #kernel.layout<threads = [256], vector = [64]>>, memref<16384xf32>
  kernel.return
}

// -----

// CHECK: kernel.func @no_strides
// expected-error @below {{takes memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>>: on a GPU a buffer has strides and an offset}}
kernel.func @no_strides(%x: memref<4xf32, affine_map<(i) -> (i floordiv 2)>>) grid() {
  kernel.return
}

// -----

// CHECK: kernel.func @scratch_of_any_size
kernel.func @scratch_of_any_size(%n: index) grid() {
  // expected-error @below {{is scratch memory of a size of the run: on a GPU it has to be static}}
  %a = memref.alloca(%n) : memref<?xf32>
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
