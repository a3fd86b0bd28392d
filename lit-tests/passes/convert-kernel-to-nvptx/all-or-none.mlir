// Where a mask lets through all elements of a thread or none, they are one access under a condition; else each has its own.
// RUN: terrace-opt %s -kernel-assign-layouts -convert-kernel-to-nvptx -canonicalize -cse | FileCheck %s

// 4 divides 768: one condition for the four elements of a thread.
// CHECK-LABEL: gpu.func @rows_of_768
// CHECK: scf.if %{{.*}} -> (vector<4xf32>)
// CHECK-NEXT: vector.load
// CHECK-NOT: vector.maskedload
// CHECK: scf.if
// CHECK-NEXT: vector.store
// CHECK-NOT: vector.maskedstore
// CHECK: gpu.return
kernel.func @rows_of_768(%x: memref<8x768xf32>, %y: memref<8x768xf32>) grid(%i in 8) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 768 : index
  %a = kernel.load %x[%i, %c0 : 1024] valid(%n) else %zero : memref<8x768xf32>, f32
  %b = arith.mulf %a, %a : tensor<1024xf32>
  kernel.store %b, %y[%i, %c0 : 1024] valid(%n) : tensor<1024xf32>, memref<8x768xf32>
  kernel.return
}

// 770 ends within a thread.
// CHECK-LABEL: gpu.func @rows_of_770
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
kernel.func @rows_of_770(%x: memref<8x770xf32>, %y: memref<8x770xf32>) grid(%i in 8) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 770 : index
  %a = kernel.load %x[%i, %c0 : 1024] valid(%n) else %zero : memref<8x770xf32>, f32
  %b = arith.mulf %a, %a : tensor<1024xf32>
  kernel.store %b, %y[%i, %c0 : 1024] valid(%n) : tensor<1024xf32>, memref<8x770xf32>
  kernel.return
}

// The run knows how many there are: nothing divides that.
// CHECK-LABEL: gpu.func @rows_of_any_size
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
kernel.func @rows_of_any_size(%x: memref<8x768xf32>, %y: memref<8x768xf32>, %n: index) grid(%i in 8) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = kernel.load %x[%i, %c0 : 1024] valid(%n) else %zero : memref<8x768xf32>, f32
  %b = arith.mulf %a, %a : tensor<1024xf32>
  kernel.store %b, %y[%i, %c0 : 1024] valid(%n) : tensor<1024xf32>, memref<8x768xf32>
  kernel.return
}
