// RUN: terrace-opt %s --kernel-expand-templates --split-input-file --verify-diagnostics | FileCheck %s

// Lanes along k, the rest of it masked; columns that are left over are masked as well.
// CHECK-LABEL: kernel.func @dots.matmul_0
// CHECK-SAME: %[[X:[^:]*]]: memref<8x250xf32>, %[[W:[^:]*]]: memref<97x250xf32>
// CHECK: scf.for %[[K:.*]] = %c0 to %c240 step %c16
// CHECK: %[[A:.*]] = kernel.load %[[X]][%{{.*}} : 4, %[[K]] : 16] : memref<8x250xf32>
// CHECK: %[[AA:.*]] = kernel.broadcast %[[A]] to [0, 2] : tensor<4x16xf32> -> tensor<4x4x16xf32>
// CHECK: %[[B:.*]] = kernel.load %[[W]][%{{.*}} : 4, %[[K]] : 16] : memref<97x250xf32>
// CHECK: %[[BB:.*]] = kernel.broadcast %[[B]] to [1, 2]
// CHECK: arith.mulf %[[AA]], %[[BB]] fastmath<contract>
// CHECK: kernel.load %[[X]][%{{.*}} : 4, %{{.*}} : 16] valid(%c4, %c10)
// CHECK: %[[S:.*]] = kernel.reduce add %{{.*}} along 2 : tensor<4x4x16xf32>
// CHECK: kernel.store %[[S]], %{{.*}}[%{{.*}} : 4, %{{.*}} : 4] : tensor<4x4xf32>
// CHECK: kernel.load %[[W]][%{{.*}} : 1, %{{.*}} : 16] : memref<97x250xf32>
func.func @dots(%x: memref<8x250xf32>, %w: memref<97x250xf32>, %y: memref<8x97xf32>) {
  kernel.matmul (%m = 8, %n = 97) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<8x250xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%n, %k] : memref<97x250xf32>
    loop.yield %a : f32
  } tile [4, 4] pack [false, false] dots : memref<8x97xf32>
  return
}

// -----

// CHECK-LABEL: kernel.func @pairs.matmul_0
// CHECK: scf.for %{{.*}} = %c0 to %c224 step %c32
// CHECK: kernel.broadcast %{{.*}} to [0, 2] : tensor<4x32xbf16> -> tensor<4x4x32xbf16>
// CHECK: kernel.add_pairs %{{.*}} : tensor<4x4x32xbf16>, tensor<4x4x16xf32>
func.func @pairs(%x: memref<8x250xbf16>, %w: memref<96x250xbf16>, %y: memref<8x96xf32>) {
  kernel.matmul (%m = 8, %n = 96) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<8x250xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%n, %k] : memref<96x250xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } tile [4, 4] pack [false, false] pairs dots : memref<8x96xf32>
  return
}

// -----

// CHECK-LABEL: kernel.func @widened.matmul_0
// CHECK: kernel.load %{{.*}} : memref<8x250xf16>
// CHECK: arith.extf %{{.*}} : tensor<4x16xf16> to tensor<4x16xf32>
func.func @widened(%x: memref<8x250xf16>, %w: memref<96x250xf16>, %y: memref<8x96xf32>) {
  kernel.matmul (%m = 8, %n = 96) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<8x250xf16>
    %b = arith.extf %a : f16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%n, %k] : memref<96x250xf16>
    %b = arith.extf %a : f16 to f32
    loop.yield %b : f32
  } tile [4, 4] pack [false, false] dots : memref<8x96xf32>
  return
}

// -----

func.func @columns(%x: memref<8x250xf32>, %w: memref<250x96xf32>, %y: memref<8x96xf32>) {
  // expected-error @+1 {{has 'dots', and a factor whose elements do not lie side by side along the inner dimension}}
  kernel.matmul (%m = 8, %n = 96) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<8x250xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<250x96xf32>
    loop.yield %a : f32
  } tile [4, 4] pack [false, false] dots : memref<8x96xf32>
  return
}
