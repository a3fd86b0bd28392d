// What a human wrote stays, and decides the number of threads.
// RUN: terrace-opt %s --kernel-assign-layouts --mlir-print-local-scope | FileCheck %s
// RUN: terrace-opt %s --kernel-assign-layouts=threads=128 --mlir-print-local-scope | FileCheck %s --check-prefixes=CHECK,ASKED
// RUN: not terrace-opt %s --kernel-assign-layouts=threads=48 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not terrace-opt %s --kernel-assign-layouts=vector=3 2>&1 | FileCheck %s --check-prefix=VECTOR

// THREADS: expects threads of a power of two from 32 to 1024, or 0, got 48
// VECTOR: expects a vector of a power of two bytes, got 3

// CHECK-LABEL: kernel.func @written
kernel.func @written(%x: memref<1024xf32>) grid() {
  %c0 = arith.constant 0 : index
  // CHECK: kernel.load %{{.*}} layout <threads = [512], vector = [1]>
  %a = kernel.load %x[%c0 : 1024] layout <threads = [512], vector = [1]> : memref<1024xf32>
  // CHECK: kernel.load %{{.*}} layout <threads = [512], vector = [2]>
  %b = kernel.load %x[%c0 : 1024] : memref<1024xf32>
  kernel.store %a, %x[%c0 : 1024] : tensor<1024xf32, #kernel.layout<threads = [512], vector = [1]>>, memref<1024xf32>
  kernel.store %b, %x[%c0 : 1024] : tensor<1024xf32>, memref<1024xf32>
  kernel.return
}

// ASKED-LABEL: kernel.func @asked
kernel.func @asked(%x: memref<1024xf32>) grid() {
  %c0 = arith.constant 0 : index
  // ASKED: kernel.load %{{.*}} layout <threads = [128], vector = [4]>
  %a = kernel.load %x[%c0 : 1024] : memref<1024xf32>
  kernel.store %a, %x[%c0 : 1024] : tensor<1024xf32>, memref<1024xf32>
  kernel.return
}
