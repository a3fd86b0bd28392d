// RUN: terrace-opt %s -convert-kernel-to-x86=cpu=x86-64-v4 -split-input-file -verify-diagnostics | FileCheck %s

// Memory of a kernel's own is taken once for all points that a call runs.
// CHECK-LABEL: func.func private @k
// CHECK: %[[S:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4x16xf32>
// CHECK: scf.for
// CHECK-NOT: memref.alloca
// CHECK: vector.store %{{.*}}, %[[S]]
kernel.func @k(%x: memref<8x64xf32>) grid(%i in 8) {
  %scratch = memref.alloca() {alignment = 64 : i64} : memref<4x16xf32>
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%i, %c0 : 16] : memref<8x64xf32>
  kernel.store %a, %scratch[%c0, %c0 : 16] : tensor<16xf32>, memref<4x16xf32>
  %b = kernel.load %scratch[%c0, %c0 : 16] : memref<4x16xf32>
  kernel.store %b, %x[%i, %c0 + 16 : 16] : tensor<16xf32>, memref<8x64xf32>
  kernel.return
}

// -----

kernel.func @in_a_loop(%x: memref<8xf32>) grid(%i in 8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %i step %c1 {
    // expected-error @+1 {{'memref.alloca' op is scratch memory: expects static sizes, at the head of a kernel}}
    %scratch = memref.alloca() : memref<4x16xf32>
  }
  kernel.return
}

// -----

kernel.func @dynamic(%x: memref<8xf32>) grid(%i in 8) {
  // expected-error @+1 {{'memref.alloca' op is scratch memory: expects static sizes, at the head of a kernel}}
  %scratch = memref.alloca(%i) : memref<?xf32>
  kernel.return
}
