// Launches that could run at once run one after the other.

// RUN: terrace-opt %s --kernel-assign-layouts --convert-kernel-to-nvptx | FileCheck %s

kernel.func @fill(%x: memref<4x256xf32>) grid(%i in 4) {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<1.0> : tensor<256xf32>
  kernel.store %t, %x[%i, %c0 : 256] : tensor<256xf32>, memref<4x256xf32>
  kernel.return
}

// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[X:.*]]: memref<4x256xf32>, %[[Y:.*]]: memref<4x256xf32>)
// CHECK-NOT: kernel.concurrent
// CHECK: gpu.launch_func @kernels::@fill {{.*}} args(%[[X]] : memref<4x256xf32>)
// CHECK: gpu.launch_func @kernels::@fill {{.*}} args(%[[Y]] : memref<4x256xf32>)
// CHECK-NEXT: return
func.func @both(%x: memref<4x256xf32>, %y: memref<4x256xf32>) {
  kernel.concurrent {
    kernel.launch @fill grid [4](%x) : memref<4x256xf32>
    kernel.launch @fill grid [4](%y) : memref<4x256xf32>
  }
  return
}
