// RUN: terrace-opt %s --kernel-expand-templates --canonicalize --split-input-file | FileCheck %s

// A computed factor that is packed: its body is that of the copy, an index a number of its own.
// CHECK-LABEL: kernel.func @packed.pack_0
// CHECK: %[[A:.*]] = kernel.load %{{.*}} : 32] : memref<16x32xf32>
// CHECK: arith.mulf %[[A]], %{{.*}} : tensor<32xf32>
// CHECK: kernel.store %{{.*}} : tensor<32xf32>, memref<16x48xf32>
// CHECK-LABEL: kernel.func @packed.pack_1
// CHECK: arith.sitofp %{{.*}} : tensor<16xi32> to tensor<16xf32>
// CHECK: arith.addf %{{.*}} : tensor<16xf32>
// CHECK: kernel.store %{{.*}} : tensor<16xf32>, memref<2x32x32xf32>
// CHECK-LABEL: kernel.func @packed.matmul_0
// CHECK-SAME: memref<16x48xf32>, %{{.*}}: memref<2x32x32xf32>, %{{.*}}: memref<16x64xf32>) grid
func.func @packed(%x: memref<16x32xf32>, %w: memref<32x64xf32>, %y: memref<16x64xf32>, %s: f32) {
  kernel.matmul (%m = 16, %n = 64) over (%k = 32) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<16x32xf32>
    %b = arith.mulf %a, %s : f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<32x64xf32>
    %i = arith.index_cast %n : index to i32
    %f = arith.sitofp %i : i32 to f32
    %b = arith.addf %a, %f : f32
    loop.yield %b : f32
  } tile [8, 32] pack [true, true] : memref<16x64xf32>
  return
}

// -----

// One that is not: a row or column of a tile at once, in the loop over the inner dimension.
// CHECK-LABEL: kernel.func @in_place.matmul_0
// CHECK-NOT: kernel.launch
// CHECK: scf.for %[[K:.*]] = %c0 to %c32 step %c1
// CHECK: %[[A:.*]] = kernel.load %{{.*}}[%{{.*}} : 8, %[[K]]] : memref<16x32xf32>
// CHECK: %[[B:.*]] = arith.addf %[[A]], %[[A]] : tensor<8xf32>
// CHECK: %[[L:.*]] = kernel.broadcast %[[B]] to [0] : tensor<8xf32> -> tensor<8x1xf32>
// CHECK: %[[C:.*]] = kernel.load %{{.*}}[%{{.*}} : 32, %[[K]]] : memref<64x32xf32>
// CHECK: %[[R:.*]] = kernel.broadcast %[[C]] to [1] : tensor<32xf32> -> tensor<1x32xf32>
// CHECK: kernel.dot %[[L]], %[[R]]
func.func @in_place(%x: memref<16x32xf32>, %w: memref<64x32xf32>, %y: memref<16x64xf32>) {
  kernel.matmul (%m = 16, %n = 64) over (%k = 32) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<16x32xf32>
    %b = arith.addf %a, %a : f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%n, %k] : memref<64x32xf32>
    loop.yield %a : f32
  } tile [8, 32] pack [false, false] : memref<16x64xf32>
  return
}
