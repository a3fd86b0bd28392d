// RUN: terrace-opt %s --convert-kernel-to-x86=cpu=x86-64-v3 --canonicalize --cse --split-input-file | FileCheck %s

// Rows of a tile that lie side by side where it is stored: blocks of 8 are transposed in registers, each shuffle within 128 bits
// but for the last round.
// CHECK-LABEL: func.func private @store
// CHECK-COUNT-8: vector.load %{{.*}} : memref<8x100xf32>, vector<8xf32>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 8, 1, 9, 4, 12, 5, 13] : vector<8xf32>, vector<8xf32>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 8, 9, 4, 5, 12, 13] : vector<8xf32>, vector<8xf32>
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 8, 9, 10, 11] : vector<8xf32>, vector<8xf32>
// CHECK-NOT: vector.scatter
// CHECK-COUNT-8: vector.store %{{.*}} : memref<64xf32>, vector<8xf32>
kernel.func @store(%x: memref<8x100xf32>, %y: memref<8x8xf32, strided<[1, 8]>>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 8, %c0 : 8] : memref<8x100xf32>
  kernel.store %a, %y[%c0 : 8, %c0 : 8] : tensor<8x8xf32>, memref<8x8xf32, strided<[1, 8]>>
  kernel.return
}

// -----

// The same where it is loaded; columns that are not there are not read.
// CHECK-LABEL: func.func private @load
// CHECK-COUNT-5: vector.maskedload
// CHECK-NOT: vector.maskedload
// CHECK-COUNT-16: vector.shuffle
// CHECK-COUNT-8: vector.store
kernel.func @load(%x: memref<7x5xf32, strided<[1, 7]>>, %y: memref<8x8xf32>) grid() {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %a = kernel.load %x[%c0 : 8, %c0 : 8] valid(%c7, %c5) else %zero : memref<7x5xf32, strided<[1, 7]>>, f32
  kernel.store %a, %y[%c0 : 8, %c0 : 8] : tensor<8x8xf32>, memref<8x8xf32>
  kernel.return
}
