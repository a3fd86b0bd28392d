// Each kernel has a part of the memory that a block shares, and together it is more than there is.

// RUN: terrace-opt %s --kernel-assign-layouts="threads=256" --convert-kernel-to-nvptx | FileCheck %s

kernel.func @one(%x: memref<8192xf32>, %y: memref<8192xf32>) grid(%i in 1) {
  %s = memref.alloca() : memref<8192xf32>
  %c0 = arith.constant 0 : index
  %t = kernel.load %x[%c0 : 8192] : memref<8192xf32>
  kernel.store %t, %s[%c0 : 8192] : tensor<8192xf32>, memref<8192xf32>
  %u = kernel.load %s[%c0 : 8192] : memref<8192xf32>
  kernel.store %u, %y[%c0 : 8192] : tensor<8192xf32>, memref<8192xf32>
  kernel.return
}
kernel.func @two(%x: memref<8192xf32>, %y: memref<8192xf32>) grid(%i in 1) {
  %s = memref.alloca() : memref<8192xf32>
  %c0 = arith.constant 0 : index
  %t = kernel.load %x[%c0 : 8192] : memref<8192xf32>
  kernel.store %t, %s[%c0 : 8192] : tensor<8192xf32>, memref<8192xf32>
  %u = kernel.load %s[%c0 : 8192] : memref<8192xf32>
  kernel.store %u, %x[%c0 : 8192] : tensor<8192xf32>, memref<8192xf32>
  kernel.return
}

// CHECK-LABEL: func.func @all(
// CHECK: gpu.launch_func @kernels::@one
// CHECK: gpu.launch_func @kernels::@two
// CHECK-NEXT: return
func.func @all(%a: memref<8192xf32>, %b: memref<8192xf32>, %c: memref<8192xf32>) {
  kernel.concurrent {
    kernel.launch @one grid [1](%a, %b) : memref<8192xf32>, memref<8192xf32>
    kernel.launch @two grid [1](%c, %c) : memref<8192xf32>, memref<8192xf32>
  }
  return
}
