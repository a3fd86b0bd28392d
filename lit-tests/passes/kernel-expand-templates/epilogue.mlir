// RUN: terrace-opt %s --kernel-expand-templates --split-input-file | FileCheck %s

// The sums of a tile go through a scratch buffer, row by row; a bias is a vector, a row's number a scalar.
// CHECK-LABEL: kernel.func @epilogue.matmul_0
// CHECK-SAME: (%[[X:.*]]: memref<16x8xf32>, %[[W:.*]]: memref<8x64xf32>, %[[BIAS:.*]]: memref<64xf32>, %[[ROW:.*]]: memref<16xf32>, %[[Y:.*]]: memref<16x64xf32>) grid(%[[P:.*]] in 2, %[[Q:.*]] in 2)
// CHECK: %[[J:.*]] = arith.muli %[[P]], %c32
// CHECK: %[[I:.*]] = arith.muli %[[Q]], %c8
// CHECK: %[[SCRATCH:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8x32xf32>
// CHECK: %[[SUMS:.*]] = scf.for
// CHECK: kernel.store %[[SUMS]], %[[SCRATCH]][%c0 : 8, %c0 : 32] : tensor<8x32xf32>, memref<8x32xf32>
// CHECK: scf.for %[[R:.*]] = %c0 to %c8 step %c1 {
// CHECK: %[[SUM:.*]] = kernel.load %[[SCRATCH]][%[[R]], %c0 : 32] : memref<8x32xf32>
// CHECK: %[[M:.*]] = arith.addi %[[I]], %[[R]]
// CHECK: %[[S:.*]] = memref.load %[[ROW]][%[[M]]] : memref<16xf32>
// CHECK: %[[B:.*]] = kernel.load %[[BIAS]][%[[J]] : 32] : memref<64xf32>
// CHECK: %[[A:.*]] = arith.addf %[[SUM]], %[[B]] : tensor<32xf32>
// CHECK: %[[T:.*]] = tensor.splat %[[S]] : tensor<32xf32>
// CHECK: %[[C:.*]] = arith.mulf %[[A]], %[[T]] : tensor<32xf32>
// CHECK: kernel.store %[[C]], %[[Y]][%[[M]], %[[J]] : 32] : tensor<32xf32>, memref<16x64xf32>
func.func @epilogue(%x: memref<16x8xf32>, %w: memref<8x64xf32>, %bias: memref<64xf32>, %row: memref<16xf32>, %y: memref<16x64xf32>) {
  kernel.matmul (%m = 16, %n = 64) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<16x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x64xf32>
    loop.yield %a : f32
  } epilogue(%sum: f32) {
    %b = loop.load %bias[%n] : memref<64xf32>
    %s = loop.load %row[%m] : memref<16xf32>
    %t = arith.addf %sum, %b : f32
    %u = arith.mulf %t, %s : f32
    loop.yield %u : f32
  } tile [8, 32] pack [false, false] : memref<16x64xf32>
  return
}

// -----

// An epilogue that only says where: whole tiles, if rows come before columns there; else a row is scattered.
// CHECK-LABEL: kernel.func @place.matmul_0
// CHECK-NOT: memref.alloca
// CHECK: kernel.store %{{.*}}, %{{.*}}[%{{.*}} : 8, 3, %{{.*}} : 32]
// CHECK-LABEL: kernel.func @place.matmul_1
// CHECK: memref.alloca
// CHECK: kernel.store %{{.*}}, %{{.*}}[%{{.*}} : 32, %{{.*}}] : tensor<32xf32>, memref<64x16xf32>
func.func @place(%x: memref<16x8xf32>, %w: memref<8x64xf32>, %y: memref<16x4x64xf32>, %z: memref<64x16xf32>) {
  kernel.matmul (%m = 16, %n = 64) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<16x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x64xf32>
    loop.yield %a : f32
  } epilogue(%sum: f32) {
    loop.yield %sum at [%m, 3, %n] : f32
  } tile [8, 32] pack [false, false] : memref<16x4x64xf32>
  kernel.matmul (%m = 16, %n = 64) over (%k = 8) into %z lhs {
    %a = loop.load %x[%m, %k] : memref<16x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x64xf32>
    loop.yield %a : f32
  } epilogue(%sum: f32) {
    loop.yield %sum at [%n, %m] : f32
  } tile [8, 32] pack [false, false] : memref<64x16xf32>
  return
}
