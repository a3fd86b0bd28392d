// RUN: terrace-opt %s --convert-kernel-to-x86=cpu=x86-64-v3 --canonicalize --cse --split-input-file | FileCheck %s

// The places of all lanes are known: two vectors of two elements each, and none is read alone.
// CHECK-LABEL: func.func private @quotients
//   CHECK-NOT: vector.gather
//       CHECK: %[[A:.*]] = vector.load %{{.*}}[%c0] : memref<4xf32>, vector<2xf32>
//       CHECK: vector.shuffle %[[A]], %[[A]] [0, 0, 0, 0, 1, 1, 1, 1] : vector<2xf32>, vector<2xf32>
//       CHECK: %[[B:.*]] = vector.load %{{.*}}[%c2] : memref<4xf32>, vector<2xf32>
//       CHECK: vector.shuffle %[[B]], %[[B]] [0, 0, 0, 0, 1, 1, 1, 1]
kernel.func @quotients(%x: memref<4xf32>, %y: memref<16xf32>) grid() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant dense<4> : tensor<16xindex>
  %i = kernel.iota : tensor<16xindex>
  %j = arith.divui %i, %c4 : tensor<16xindex>
  %a = kernel.gather %x[%j] : memref<4xf32>, tensor<16xindex> -> tensor<16xf32>
  kernel.store %a, %y[%c0 : 16] : tensor<16xf32>, memref<16xf32>
  kernel.return
}

// -----

// The loop counts by 8: half of its index and half of each lane.
// CHECK-LABEL: func.func private @quotients_from_an_index
//       CHECK: scf.for %[[I:.*]] = %c0 to %c64 step %c8
//       CHECK:   %[[H:.*]] = arith.divui %[[I]], %c2
//       CHECK:   %[[A:.*]] = vector.load %{{.*}}[%[[H]]] : memref<32xf32>, vector<4xf32>
//       CHECK:   vector.shuffle %[[A]], %[[A]] [0, 0, 1, 1, 2, 2, 3, 3]
//       CHECK:   %[[B:.*]] = vector.load %{{.*}}[%c0] : memref<32xf32>, vector<2xf32>
//       CHECK:   vector.shuffle %[[B]], %[[B]] [0, 1, 0, 1, 0, 1, 0, 1]
kernel.func @quotients_from_an_index(%x: memref<32xf32>, %y: memref<64xf32>) grid() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant dense<2> : tensor<8xindex>
  %lanes = kernel.iota : tensor<8xindex>
  scf.for %k = %c0 to %c64 step %c8 {
    %from = tensor.splat %k : tensor<8xindex>
    %i = arith.addi %from, %lanes : tensor<8xindex>
    %j = arith.divui %i, %two : tensor<8xindex>
    %a = kernel.gather %x[%j] : memref<32xf32>, tensor<8xindex> -> tensor<8xf32>
    %r = arith.remui %i, %two : tensor<8xindex>
    %b = kernel.gather %x[%r] : memref<32xf32>, tensor<8xindex> -> tensor<8xf32>
    %c = arith.addf %a, %b : tensor<8xf32>
    kernel.store %c, %y[%k : 8] : tensor<8xf32>, memref<64xf32>
  }
  kernel.return
}

// -----

// The loop counts by 4, which 8 does not divide: the quotient may change at any lane.
// CHECK-LABEL: func.func private @not_where_the_divisor_divides_no_index
//       CHECK: vector.gather
kernel.func @not_where_the_divisor_divides_no_index(%x: memref<32xf32>, %y: memref<64xf32>) grid() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c56 = arith.constant 56 : index
  %eight = arith.constant dense<8> : tensor<8xindex>
  %lanes = kernel.iota : tensor<8xindex>
  scf.for %k = %c0 to %c56 step %c4 {
    %from = tensor.splat %k : tensor<8xindex>
    %i = arith.addi %from, %lanes : tensor<8xindex>
    %j = arith.divui %i, %eight : tensor<8xindex>
    %a = kernel.gather %x[%j] : memref<32xf32>, tensor<8xindex> -> tensor<8xf32>
    kernel.store %a, %y[%k : 8] : tensor<8xf32>, memref<64xf32>
  }
  kernel.return
}

// -----

// Lanes that are not there may be beyond the buffer.
// CHECK-LABEL: func.func private @not_under_a_mask
//       CHECK: vector.gather
kernel.func @not_under_a_mask(%x: memref<3xf32>, %m: tensor<8xi1>, %y: memref<8xf32>) grid() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant dense<2> : tensor<8xindex>
  %five = arith.constant dense<5> : tensor<8xindex>
  %i = kernel.iota : tensor<8xindex>
  %j = arith.divui %i, %two : tensor<8xindex>
  %there = arith.cmpi ult, %i, %five : tensor<8xindex>
  %a = kernel.gather %x[%j] mask %there else %zero : memref<3xf32>, tensor<8xindex> mask tensor<8xi1>, f32 -> tensor<8xf32>
  kernel.store %a, %y[%c0 : 8] : tensor<8xf32>, memref<8xf32>
  kernel.return
}

// -----

// Lanes 8 elements apart are in eight vectors.
// CHECK-LABEL: func.func private @not_far_apart
//       CHECK: vector.gather
kernel.func @not_far_apart(%x: memref<64xf32>, %y: memref<8xf32>) grid() {
  %c0 = arith.constant 0 : index
  %eight = arith.constant dense<8> : tensor<8xindex>
  %i = kernel.iota : tensor<8xindex>
  %j = arith.muli %i, %eight : tensor<8xindex>
  %a = kernel.gather %x[%j] : memref<64xf32>, tensor<8xindex> -> tensor<8xf32>
  kernel.store %a, %y[%c0 : 8] : tensor<8xf32>, memref<8xf32>
  kernel.return
}
