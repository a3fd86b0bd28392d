// RUN: terrace-opt %s -convert-kernel-to-nvptx -split-input-file | FileCheck %s

// A buffer of which the run knows sizes or strides is handed over as its base and these, and put together again in the kernel. The
// sizes of the grid follow; a grid without points is not launched.
// CHECK-LABEL: gpu.func @scale
// CHECK-SAME: (%[[X:.*]]: memref<f32>, %[[N:.*]]: index, %[[STRIDE:.*]]: index, %[[Y:.*]]: memref<f32>, %[[OFFSET:.*]]: index, %[[M:.*]]: index, %[[Z:.*]]: memref<4xf32>, %[[ROWS:.*]]: index) kernel
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[N]], 8], strides: [%[[STRIDE]], 1]
// CHECK: memref.reinterpret_cast %[[Y]] to offset: [%[[OFFSET]]], sizes: [%[[M]]], strides: [1]
// CHECK: gpu.return
// CHECK-LABEL: func.func @main
// CHECK: %[[XB:.*]], %{{.*}}, %[[XN:.*]]:2, %[[XS:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK: %[[YB:.*]], %[[YO:.*]], %[[YN:.*]], %{{.*}} = memref.extract_strided_metadata %arg1
// CHECK: gpu.launch_func @kernels::@scale blocks in (%arg3, %{{.*}}, %{{.*}}) threads in
// CHECK-SAME: args(%[[XB]] : memref<f32>, %[[XN]]#0 : index, %[[XS]]#0 : index, %[[YB]] : memref<f32>, %[[YO]] : index, %[[YN]] : index, %arg2 : memref<4xf32>, %arg3 : index)
kernel.func @scale(%x: memref<?x8xf32, strided<[?, 1]>>, %y: memref<?xf32, strided<[1], offset: ?>>, %z: memref<4xf32>) grid(%i in ?) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%i, %c0] : memref<?x8xf32, strided<[?, 1]>>
  memref.store %a, %y[%i] : memref<?xf32, strided<[1], offset: ?>>
  kernel.return
}
func.func @main(%x: memref<?x8xf32, strided<[?, 1]>>, %y: memref<?xf32, strided<[1], offset: ?>>, %z: memref<4xf32>, %n: index) {
  kernel.launch @scale grid [%n](%x, %y, %z) : memref<?x8xf32, strided<[?, 1]>>, memref<?xf32, strided<[1], offset: ?>>, memref<4xf32>
  return
}
