// RUN: terrace-opt %s --kernel-assign-layouts --convert-kernel-to-nvptx --split-input-file --verify-diagnostics | FileCheck %s

// Scratch memory is shared memory. Each thread reads what it has written: no barrier. What others have written they meet
// for; what nobody shares with scratch memory they do not.
// CHECK-LABEL: gpu.func @shared
// CHECK-SAME: workgroup(%[[S:.*]] : memref<128xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK: %[[M:.*]] = memref.memory_space_cast %[[S]]
// CHECK: vector.load %{{.*}} : memref<64x128xf32>
// CHECK-NOT: gpu.barrier
// CHECK: vector.store %{{.*}}, %[[M]]
// CHECK-NOT: gpu.barrier
// CHECK: vector.load %[[M]]
// CHECK-NOT: gpu.barrier
// CHECK: vector.store %{{.*}} : memref<64x128xf32>
// CHECK: gpu.barrier
// CHECK-NEXT: memref.load %[[M]]
kernel.func @shared(%x: memref<64x128xf32>, %y: memref<64xf32>) grid(%i in 64) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<128xf32>
  %a = kernel.load %x[%i, %c0 : 128] : memref<64x128xf32>
  kernel.store %a, %m[%c0 : 128] : tensor<128xf32>, memref<128xf32>
  %b = kernel.load %m[%c0 : 128] : memref<128xf32>
  kernel.store %b, %x[%i, %c0 : 128] : tensor<128xf32>, memref<64x128xf32>
  %c = memref.load %m[%c0] : memref<128xf32>
  memref.store %c, %y[%i] : memref<64xf32>
  kernel.return
}

// -----

kernel.func @too_large() grid() {
  // expected-error @below {{'memref.alloca' op is scratch memory, 65536 bytes with what else the kernel has: a block shares 49152}}
  %m = memref.alloca() : memref<16384xf32>
  kernel.return
}
