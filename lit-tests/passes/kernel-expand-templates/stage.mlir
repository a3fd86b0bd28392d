// RUN: terrace-opt %s --kernel-expand-templates=stage=16 --split-input-file | FileCheck %s
// RUN: not terrace-opt %s --kernel-expand-templates=stage=-1 --split-input-file 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// NEGATIVE: expects a stage of 0 or more, got -1

// Parts of both factors lie as the matrices do: the left one row by row, its rows an element apart from the next bank; of the
// right one, which is transposed, columns. What is left of the inner dimension is a part of its own.
// CHECK-LABEL: kernel.func @linear.matmul_0
// CHECK-SAME: (%[[X:.*]]: memref<64x40xf32>, %[[W:.*]]: memref<64x40xf32>, %[[Y:.*]]: memref<64x64xf32>)
// CHECK-DAG: %[[LEFT:.*]] = memref.alloca() {{.*}}: memref<64x17xf32>
// CHECK-DAG: %[[RIGHT:.*]] = memref.alloca() {{.*}}: memref<64x17xf32>
// CHECK: scf.for %[[K:.*]] = %c0{{.*}} to %c32{{.*}} step %c16{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<64x64xf32>)
// CHECK: %[[A:.*]] = kernel.load %[[X]][%{{.*}} : 64, %[[K]] : 16]
// CHECK: kernel.store %[[A]], %{{.*}}[%{{.*}} : 64, %{{.*}} : 16] : tensor<64x16xf32>, memref<64x17xf32>
// CHECK: %[[B:.*]] = kernel.load %[[W]][%{{.*}} : 64, %[[K]] : 16]
// CHECK: kernel.store %[[B]], %{{.*}}[%{{.*}} : 64, %{{.*}} : 16] : tensor<64x16xf32>, memref<64x17xf32>
// CHECK: scf.for %[[L:.*]] = %c0{{.*}} to %c16{{.*}} step %c1{{.*}} iter_args
// CHECK: %[[COLUMN:.*]] = kernel.load %{{.*}}[%{{.*}} : 64, %[[L]]] : memref<64x17xf32>
// CHECK: %[[LHS:.*]] = kernel.broadcast %[[COLUMN]] to [0] : tensor<64xf32> -> tensor<64x1xf32>
// CHECK: %[[ROW:.*]] = kernel.load %{{.*}}[%{{.*}} : 64, %[[L]]] : memref<64x17xf32>
// CHECK: %[[RHS:.*]] = kernel.broadcast %[[ROW]] to [1] : tensor<64xf32> -> tensor<1x64xf32>
// CHECK: kernel.dot %[[LHS]], %[[RHS]], %{{.*}} : tensor<64x1xf32>, tensor<1x64xf32>, tensor<64x64xf32>
// CHECK: kernel.load %[[X]][%{{.*}} : 64, %c32{{.*}} : 8]
func.func @linear(%x: memref<64x40xf32>, %w: memref<64x40xf32>, %y: memref<64x64xf32>) {
  kernel.matmul (%m = 64, %n = 64) over (%k = 40) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<64x40xf32>
    loop.yield %a : f32
  } rhs {
    %b = loop.load %w[%n, %k] : memref<64x40xf32>
    loop.yield %b : f32
  } tile [64, 64] pack [false, false] : memref<64x64xf32>
  return
}

// -----

// A factor that is computed is computed line by line; columns that are not there are not read.
// CHECK-LABEL: kernel.func @computed.matmul_0
// CHECK: memref.alloca() {{.*}}: memref<8x4xf32>
// CHECK: memref.alloca() {{.*}}: memref<8x8xf32>
// CHECK: scf.for %[[L:.*]] = %c0{{.*}} to %c8{{.*}} step %c1
// CHECK: %[[A:.*]] = kernel.load %{{.*}}[%{{.*}} : 4, %{{.*}}] : memref<4x8xf32>
// CHECK: %[[E:.*]] = math.exp %[[A]] : tensor<4xf32>
// CHECK: kernel.store %[[E]], %{{.*}}[%[[L]], %{{.*}} : 4] : tensor<4xf32>, memref<8x4xf32>
// CHECK: kernel.load %{{.*}}[%{{.*}} : 8, %{{.*}} : 8] valid(%c8{{.*}}, %c6{{.*}}) else %{{.*}} : memref<8x6xf32>, f32
func.func @computed(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    %e = math.exp %a : f32
    loop.yield %e : f32
  } rhs {
    %b = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %b : f32
  } tile [4, 8] pack [false, false] : memref<4x6xf32>
  return
}
