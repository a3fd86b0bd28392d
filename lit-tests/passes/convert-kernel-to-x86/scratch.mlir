// RUN: terrace-opt %s --convert-kernel-to-x86=cpu=x86-64-v4 --split-input-file --verify-diagnostics | FileCheck %s

// Scratch memory is there once for all points that a thread runs.
// CHECK-LABEL: func.func private @on_the_stack
// CHECK: %[[A:.*]] = memref.alloca() {alignment = 64 : i64} : memref<16xf32>
// CHECK: scf.for
// CHECK-NOT: memref.alloca
// CHECK: vector.store %{{.*}}, %[[A]]
kernel.func @on_the_stack(%x: memref<64x16xf32>) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() {alignment = 64 : i64} : memref<16xf32>
  %a = kernel.load %x[%i, %c0 : 16] : memref<64x16xf32>
  kernel.store %a, %m[%c0 : 16] : tensor<16xf32>, memref<16xf32>
  kernel.return
}

// -----

// Much of it is on the heap.
// CHECK-LABEL: func.func private @on_the_heap
// CHECK: %[[A:.*]] = memref.alloc() : memref<65536xf32>
// CHECK: scf.for
// CHECK: memref.load %[[A]]
// CHECK: }
// CHECK: memref.dealloc %[[A]]
kernel.func @on_the_heap(%x: memref<64xf32>) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<65536xf32>
  %a = memref.load %m[%c0] : memref<65536xf32>
  memref.store %a, %x[%i] : memref<64xf32>
  kernel.return
}

// -----

kernel.func @of_unknown_size(%n: index) grid() {
  %m = arith.muli %n, %n : index
  // expected-error @below {{'memref.alloca' op is scratch memory of a kernel: expects its sizes to be arguments of the kernel}}
  %s = memref.alloca(%m) : memref<?xf32>
  kernel.return
}

// -----

kernel.func @inside_a_loop() grid() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    // expected-error @below {{'memref.alloca' op stands inside a loop or a branch: scratch memory of a kernel is at the head of its body}}
    %m = memref.alloca() : memref<4xf32>
  }
  kernel.return
}
