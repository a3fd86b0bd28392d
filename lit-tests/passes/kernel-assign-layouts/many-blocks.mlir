// Where there are enough blocks for a GPU, a thread has twice the elements; with fewer, or an unknown number, there are more threads.

// RUN: terrace-opt %s --kernel-assign-layouts | FileCheck %s

// CHECK-DAG: #[[FEW:.+]] = #kernel.layout<threads = [256], vector = [4]>
// CHECK-DAG: #[[MANY:.+]] = #kernel.layout<threads = [128], vector = [4]>

// CHECK: kernel.func @few
// CHECK: kernel.load {{.*}} layout #[[FEW]]
kernel.func @few(%x: memref<1000x1024xf32>, %y: memref<1000x1024xf32>) grid(%i in 1000) {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%i, %c0 : 1024] : memref<1000x1024xf32>
  kernel.store %a, %y[%i, %c0 : 1024] : tensor<1024xf32>, memref<1000x1024xf32>
  kernel.return
}

// CHECK: kernel.func @many
// CHECK: kernel.load {{.*}} layout #[[MANY]]
kernel.func @many(%x: memref<2000x1024xf32>, %y: memref<2000x1024xf32>) grid(%i in 2000) {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%i, %c0 : 1024] : memref<2000x1024xf32>
  kernel.store %a, %y[%i, %c0 : 1024] : tensor<1024xf32>, memref<2000x1024xf32>
  kernel.return
}

// CHECK: kernel.func @of_the_run
// CHECK: kernel.load {{.*}} layout #[[FEW]]
kernel.func @of_the_run(%x: memref<?x1024xf32>, %y: memref<?x1024xf32>) grid(%i in ?) {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%i, %c0 : 1024] : memref<?x1024xf32>
  kernel.store %a, %y[%i, %c0 : 1024] : tensor<1024xf32>, memref<?x1024xf32>
  kernel.return
}
