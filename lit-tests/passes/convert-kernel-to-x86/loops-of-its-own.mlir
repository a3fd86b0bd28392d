// A function with loops that became no kernels says so to LLVM, which vectorizes them. One that repeats launches has none.

// RUN: terrace-opt %s --convert-kernel-to-x86 | FileCheck %s

// CHECK: func.func @loops(%{{.*}}: memref<8xf32>, %{{.*}}: index) attributes {passthrough = ["cold", "terrace-loops", "noinline"]}
func.func @loops(%x: memref<8xf32>, %n: index) attributes {passthrough = ["cold"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<8xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%i] : memref<8xf32>
  }
  return
}

// CHECK: func.func @launches(%{{.*}}: memref<8xf32>, %{{.*}}: index) {
func.func @launches(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    kernel.launch @twice grid [1](%x) : memref<8xf32>
  }
  return
}

kernel.func @twice(%x: memref<8xf32>) grid(%i in 1) {
  %c0 = arith.constant 0 : index
  %v = kernel.load %x[%c0 : 8] : memref<8xf32>
  %w = arith.addf %v, %v : tensor<8xf32>
  kernel.store %w, %x[%c0 : 8] : tensor<8xf32>, memref<8xf32>
  kernel.return
}
