// RUN: terrace-opt %s --convert-kernel-to-x86 --split-input-file --verify-diagnostics
// RUN: not terrace-opt %s --convert-kernel-to-x86=cpu=x86-64-v5 --split-input-file 2>&1 | FileCheck %s

// CHECK: error: convert-kernel-to-x86: unknown cpu 'x86-64-v5', expected one of host, x86-64, x86-64-v2, x86-64-v3, x86-64-v4

kernel.func @buffer_of_bits(%x: memref<16xi1>) grid() {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{has a buffer of i1: bool is a byte in memory, run 'convert-bool-buffers' first}}
  %a = kernel.load %x[%c0 : 16] : memref<16xi1>
  %r = kernel.reduce or %a : tensor<16xi1>
  kernel.return
}

// -----

kernel.func @buffer_without_strides(%x: memref<16x16xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>) grid() {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{expects a buffer with strides, got memref<16x16xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>}}
  %a = kernel.load %x[%c0, %c0 : 16] : memref<16x16xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>
  %r = kernel.reduce add %a : tensor<16xf32>
  kernel.return
}

// -----

kernel.func @operation_without_a_form_on_vectors(%x: memref<16xf32>, %i: index) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 16] : memref<16xf32>
  // expected-error @+1 {{has no form on vectors: tiles are for kernel, arith, math and scf}}
  %e = tensor.extract %a[%i] : tensor<16xf32>
  kernel.return
}

// -----

kernel.func @branches(%x: memref<16xf32>, %t: i1) grid() {
  // expected-error @+1 {{has a region of several blocks: a kernel has structured control flow}}
  scf.execute_region {
    cf.cond_br %t, ^bb1, ^bb2
  ^bb1:
    cf.br ^bb2
  ^bb2:
    scf.yield
  }
  kernel.return
}

// -----

kernel.func @tile_too_large(%x: memref<131072xf32>) grid() {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{makes tensor<131072xf32>: a tile has at most 65536 elements, their number known}}
  %a = kernel.load %x[%c0 : 131072] : memref<131072xf32>
  kernel.store %a, %x[%c0 : 131072] : tensor<131072xf32>, memref<131072xf32>
  kernel.return
}

// -----

kernel.func @tile_of_dynamic_size(%x: f32, %n: index) grid() {
  // expected-error @+1 {{makes tensor<?xf32>: a tile has at most 65536 elements, their number known}}
  %a = tensor.splat %x[%n] : tensor<?xf32>
  kernel.return
}
