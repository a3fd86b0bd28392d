// RUN: terrace-opt %s --convert-kernel-to-x86=cpu=x86-64-v3 --canonicalize --cse --split-input-file | FileCheck %s

// Each second element: two vectors, the last of which ends where the last lane lies.
// CHECK-LABEL: func.func private @second
// CHECK: %[[A:.*]] = vector.load %{{.*}}[%c0] : memref<15xf32>, vector<8xf32>
// CHECK: %[[B:.*]] = vector.load %{{.*}}[%c7] : memref<15xf32>, vector<8xf32>
// CHECK: vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6, 9, 11, 13, 15] : vector<8xf32>, vector<8xf32>
kernel.func @second(%x: memref<15xf32>, %y: memref<8xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 8 : 2] : memref<15xf32>
  kernel.store %a, %y[%c0 : 8] : tensor<8xf32>, memref<8xf32>
  kernel.return
}

// -----

// Each third one of five: masks end behind the 13th element.
// CHECK-LABEL: func.func private @third
// CHECK: %[[A:.*]] = vector.load %{{.*}}[%c0] : memref<13xf32>, vector<8xf32>
// CHECK: %[[M:.*]] = vector.constant_mask [5] : vector<8xi1>
// CHECK: %[[B:.*]] = vector.maskedload %{{.*}}[%c8], %[[M]], %{{.*}} : memref<13xf32>
// CHECK: %[[AB:.*]] = vector.shuffle %[[A]], %[[B]] [0, 3, 6, 9, 12, 15, 15, 15]
// CHECK: arith.select %[[M]], %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xf32>
kernel.func @third(%x: memref<13xf32>, %y: memref<8xf32>) grid() {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %a = kernel.load %x[%c0 : 8 : 3] valid(%c5) else %zero : memref<13xf32>, f32
  kernel.store %a, %y[%c0 : 8] : tensor<8xf32>, memref<8xf32>
  kernel.return
}

// -----

// Backwards: one vector that ends where the first lane lies, turned round.
// CHECK-LABEL: func.func private @backwards
// CHECK: %[[A:.*]] = vector.load %{{.*}}[%c2] : memref<10xf32>, vector<8xf32>
// CHECK: vector.shuffle %[[A]], %[[A]] [7, 6, 5, 4, 3, 2, 1, 0] : vector<8xf32>, vector<8xf32>
kernel.func @backwards(%x: memref<10xf32>, %y: memref<8xf32>) grid() {
  %c9 = arith.constant 9 : index
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c9 : 8 : -1] : memref<10xf32>
  kernel.store %a, %y[%c0 : 8] : tensor<8xf32>, memref<8xf32>
  kernel.return
}
