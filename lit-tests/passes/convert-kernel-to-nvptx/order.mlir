// Threads meet where one may touch what another has touched.
// RUN: terrace-opt %s -kernel-assign-layouts -convert-kernel-to-nvptx -canonicalize -cse | FileCheck %s

// Each element is moved by the thread that another one's element belongs to.
// CHECK: gpu.func @shift(
// CHECK: vector.load
// CHECK: gpu.barrier
// CHECK: vector.store
kernel.func @shift(%x: memref<2048xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 + 1 : 1024] : memref<2048xf32>
  kernel.store %a, %x[%c0 : 1024] : tensor<1024xf32>, memref<2048xf32>
  kernel.return
}

// In place, in a loop: a thread stays with its elements.
// CHECK: gpu.func @own(
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
kernel.func @own(%x: memref<4096xf32>) grid() {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  scf.for %j = %c0 to %c4096 step %c1024 {
    %a = kernel.load %x[%j : 1024] : memref<4096xf32>
    %b = arith.addf %a, %a : tensor<1024xf32>
    kernel.store %b, %x[%j : 1024] : tensor<1024xf32>, memref<4096xf32>
  }
  kernel.return
}

// The iteration before wrote what this one reads.
// CHECK: gpu.func @carried(
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: vector.load
// CHECK: gpu.barrier
// CHECK: vector.store
kernel.func @carried(%x: memref<4096xf32>) grid() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %j = %c0 to %c64 step %c1 {
    %a = kernel.load %x[%j : 1024] : memref<4096xf32>
    kernel.store %a, %x[%j + 1 : 1024] : tensor<1024xf32>, memref<4096xf32>
  }
  kernel.return
}

// One thread writes a number, all read it.
// CHECK: gpu.func @number(
// CHECK: scf.if
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
kernel.func @number(%x: memref<2xf32>, %y: memref<32xf32>, %k: f32) grid() {
  %c0 = arith.constant 0 : index
  memref.store %k, %x[%c0] : memref<2xf32>
  %v = memref.load %x[%c0] : memref<2xf32>
  %t = tensor.splat %v : tensor<32xf32>
  kernel.store %t, %y[%c0 : 32] : tensor<32xf32>, memref<32xf32>
  kernel.return
}

// Two arguments of a function may overlap.
// CHECK: gpu.func @unknown(
// CHECK: vector.load
// CHECK: gpu.barrier
// CHECK: vector.store
kernel.func @unknown(%x: memref<1024xf32>, %y: memref<1024xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 1024] : memref<1024xf32>
  kernel.store %a, %y[%c0 : 1024] : tensor<1024xf32>, memref<1024xf32>
  kernel.return
}

// The same range by another layout: other threads have the elements.
// CHECK: gpu.func @other_layout(
// CHECK: vector.load
// CHECK: gpu.barrier
// CHECK: vector.store
kernel.func @other_layout(%x: memref<64xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = arith.constant dense<0.0> : tensor<64xf32, #kernel.layout<threads = [32], vector = [2]>>
  %b = kernel.load %x[%c0 : 64] layout <threads = [32], vector = [1]> : memref<64xf32>
  kernel.store %a, %x[%c0 : 64] : tensor<64xf32, #kernel.layout<threads = [32], vector = [2]>>, memref<64xf32>
  kernel.store %b, %x[%c0 : 64] : tensor<64xf32, #kernel.layout<threads = [32], vector = [1]>>, memref<64xf32>
  kernel.return
}

// Elements that several threads have: one writes what another one may still read.
// CHECK: gpu.func @copies(
// CHECK: vector.load
// CHECK: gpu.barrier
// CHECK: vector.store
kernel.func @copies(%x: memref<16xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 16] layout <threads = [32], vector = [1]> : memref<16xf32>
  kernel.store %a, %x[%c0 : 16] : tensor<16xf32, #kernel.layout<threads = [32], vector = [1]>>, memref<16xf32>
  kernel.return
}

// Elements that several threads have are written by one of them alone, the same each time.
// CHECK: gpu.func @written_by_one(
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
kernel.func @written_by_one(%x: memref<16xf32>, %k: f32) grid() {
  %c0 = arith.constant 0 : index
  %a = tensor.splat %k : tensor<16xf32, #kernel.layout<threads = [32], vector = [1]>>
  %b = arith.addf %a, %a : tensor<16xf32, #kernel.layout<threads = [32], vector = [1]>>
  kernel.store %a, %x[%c0 : 16] : tensor<16xf32, #kernel.layout<threads = [32], vector = [1]>>, memref<16xf32>
  kernel.store %b, %x[%c0 : 16] : tensor<16xf32, #kernel.layout<threads = [32], vector = [1]>>, memref<16xf32>
  kernel.return
}

// Another layout is reached through shared memory: nobody reads before all have written, or writes before all have read
// what was there. At first nothing is there.
// CHECK: gpu.func @converts(
// CHECK-SAME: workgroup(%[[S:.*]] : memref<64xf32, #gpu.address_space<workgroup>>)
// CHECK-NOT: gpu.barrier
// CHECK-COUNT-2: memref.store %{{.*}}, %[[S]]
// CHECK: gpu.barrier
// CHECK-COUNT-2: memref.load %[[S]]
// CHECK: gpu.barrier
// CHECK-COUNT-2: memref.store %{{.*}}, %[[S]]
// CHECK: gpu.barrier
// CHECK-COUNT-2: memref.load %[[S]]
kernel.func @converts(%x: memref<64xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 64] layout <threads = [32], vector = [1]> : memref<64xf32>
  %b = kernel.convert_layout %a : tensor<64xf32, #kernel.layout<threads = [32], vector = [1]>> -> tensor<64xf32, #kernel.layout<threads = [32], vector = [2]>>
  %c = arith.addf %b, %b : tensor<64xf32, #kernel.layout<threads = [32], vector = [2]>>
  %d = kernel.convert_layout %c : tensor<64xf32, #kernel.layout<threads = [32], vector = [2]>> -> tensor<64xf32, #kernel.layout<threads = [32], vector = [1]>>
  kernel.store %d, %x[%c0 : 64] : tensor<64xf32, #kernel.layout<threads = [32], vector = [1]>>, memref<64xf32>
  kernel.return
}

// What a loop reads all have written before it, once.
// CHECK: gpu.func @before_a_loop(
// CHECK: vector.store
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
kernel.func @before_a_loop(%x: memref<32xf32>, %y: memref<1xf32>) grid() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %s = memref.alloca() : memref<32xf32>
  %a = kernel.load %x[%c0 : 32] : memref<32xf32>
  kernel.store %a, %s[%c0 : 32] : tensor<32xf32>, memref<32xf32>
  %sum = scf.for %j = %c0 to %c32 step %c1 iter_args(%p = %zero) -> (f32) {
    %b = memref.load %s[%j] : memref<32xf32>
    %q = arith.addf %p, %b : f32
    scf.yield %q : f32
  }
  memref.store %sum, %y[%c0] : memref<1xf32>
  kernel.return
}

// An iteration writes again what all have read in the one before: they meet inside, and so not before the loop.
// CHECK: gpu.func @in_a_loop(
// CHECK-NOT: gpu.barrier
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: vector.store
// CHECK: gpu.barrier
// CHECK: memref.load
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
kernel.func @in_a_loop(%x: memref<64x32xf32>, %y: memref<64xf32>) grid() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %s = memref.alloca() : memref<32xf32>
  %sum = scf.for %j = %c0 to %c64 step %c1 iter_args(%p = %zero) -> (f32) {
    %a = kernel.load %x[%j, %c0 : 32] : memref<64x32xf32>
    kernel.store %a, %s[%c0 : 32] : tensor<32xf32>, memref<32xf32>
    %b = memref.load %s[%c1] : memref<32xf32>
    %q = arith.addf %p, %b : f32
    scf.yield %q : f32
  }
  memref.store %sum, %y[%c0] : memref<64xf32>
  kernel.return
}

// A loop that may not run at all does not keep apart what is before it and after it.
// CHECK: gpu.func @around_a_loop(
// CHECK: scf.if
// CHECK: memref.store
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: vector.store
// CHECK: gpu.barrier
// CHECK: memref.load
kernel.func @around_a_loop(%s: memref<32xf32>, %y: memref<32xf32>, %k: f32, %n: index) grid() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %k, %s[%c0] : memref<32xf32>
  scf.for %j = %c0 to %n step %c1 {
    %a = kernel.load %y[%c0 : 32] : memref<32xf32>
    %k2 = kernel.reduce add %a : tensor<32xf32>
    memref.store %k2, %y[%j] : memref<32xf32>
    kernel.store %a, %y[%c0 : 32] : tensor<32xf32>, memref<32xf32>
  }
  %v = memref.load %s[%c0] : memref<32xf32>
  memref.store %v, %s[%c1] : memref<32xf32>
  kernel.return
}

func.func @main(%x: memref<1024xf32>, %y: memref<1024xf32>) {
  kernel.launch @unknown grid [] (%x, %y) : memref<1024xf32>, memref<1024xf32>
  return
}

// All threads add to all numbers, one step after the other; what they come to is read when all are done.
// CHECK: gpu.func @atomic(
// CHECK: scf.for
// CHECK-NOT: gpu.barrier
// CHECK: memref.atomic_rmw addi
// CHECK: gpu.barrier
// CHECK: vector.load
kernel.func @atomic(%x: memref<1024xi32>) grid() {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %one = arith.constant dense<1> : tensor<1024xi32>
  %all = kernel.iota : tensor<1024xindex>
  %half = arith.constant dense<2> : tensor<1024xindex>
  %i = arith.divui %all, %half : tensor<1024xindex>
  scf.for %j = %c0 to %c4096 step %c1024 {
    kernel.atomic add %one, %x[%i] : tensor<1024xi32>, memref<1024xi32>, tensor<1024xindex>
  }
  %a = kernel.load %x[%c0 : 1024] : memref<1024xi32>
  %b = arith.addi %a, %a : tensor<1024xi32>
  kernel.store %b, %x[%c0 : 1024] : tensor<1024xi32>, memref<1024xi32>
  kernel.return
}
