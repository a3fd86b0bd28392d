// RUN: terrace-opt %s --kernel-expand-templates --split-input-file --verify-diagnostics | FileCheck %s

// The right factor is packed as words of two elements along k; the left one is seen as words.
// CHECK-LABEL: kernel.func @words.pack_0
// CHECK-SAME: memref<250x96xbf16>, %{{.*}}: memref<3x125x32xi32>
// CHECK: kernel.load %{{.*}}[%[[K:.*]] * 2, %{{.*}}] : memref<250x96xbf16>
// CHECK: kernel.load %{{.*}}[%[[K]] * 2 + 1, %{{.*}}] : memref<250x96xbf16>
// CHECK: arith.shrui
// CHECK: arith.andi
// CHECK: arith.ori
// CHECK-LABEL: kernel.func @words.matmul_0
// CHECK-SAME: %[[X:[^:]*]]: memref<64x125xi32>
// CHECK: scf.for %{{.*}} = %c0 to %c125
// CHECK: kernel.load %[[X]]
// CHECK: kernel.dot pairs %{{.*}} : tensor<8x1xi32>, tensor<1x32xi32>, tensor<8x32xf32>
// CHECK-LABEL: func.func @words
// CHECK: kernel.reinterpret %{{.*}} : memref<64x250xbf16> to memref<64x125xi32>
func.func @words(%x: memref<64x250xbf16>, %w: memref<250x96xbf16>, %y: memref<64x96xf32>) {
  kernel.matmul (%m = 64, %n = 96) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<64x250xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<250x96xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } tile [8, 32] pack [false, true] pairs : memref<64x96xf32>
  return
}

// -----

// Words that are there already are copied as such, of a part of a matrix too; columns that are left over are words as well.
// CHECK-LABEL: kernel.func @linear.pack_0
// CHECK-SAME: %[[X:[^:]*]]: memref<64x124xi32, strided<[128, 1], offset: 1>>
// CHECK: kernel.load %[[X]]
// CHECK-LABEL: kernel.func @linear.pack_1
// CHECK-SAME: memref<100x124xi32>, %{{.*}}: memref<4x124x32xi32>
// CHECK: func.func @linear
func.func @linear(%x: memref<64x248xbf16, strided<[256, 1], offset: 2>>, %w: memref<100x248xbf16>, %y: memref<64x100xf32>) {
  kernel.matmul (%m = 64, %n = 100) over (%k = 248) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<64x248xbf16, strided<[256, 1], offset: 2>>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%n, %k] : memref<100x248xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } tile [8, 32] pack [true, true] pairs : memref<64x100xf32>
  return
}

// -----

// Elements on a diagonal are no words.
// CHECK-LABEL: kernel.func @diagonal.pack_0
// CHECK-SAME: memref<64x250x250xbf16>
// CHECK-LABEL: func.func @diagonal
// CHECK-NOT: kernel.reinterpret
// CHECK: return
func.func @diagonal(%x: memref<64x250x250xbf16>, %w: memref<250x96xbf16>, %y: memref<64x96xf32>) {
  kernel.matmul (%m = 64, %n = 96) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k, %k] : memref<64x250x250xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<250x96xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } tile [8, 32] pack [true, true] pairs : memref<64x96xf32>
  return
}

// -----

func.func @rows_of_odd_length(%x: memref<64x250xbf16, strided<[251, 1]>>, %w: memref<250x96xbf16>, %y: memref<64x96xf32>) {
  // expected-error @+1 {{has 'pairs', and a factor whose pairs are no words of a matrix as they lie: pack it}}
  kernel.matmul (%m = 64, %n = 96) over (%k = 250) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<64x250xbf16, strided<[251, 1]>>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<250x96xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } tile [8, 32] pack [false, true] pairs : memref<64x96xf32>
  return
}

// -----

// What is words already is read as it lies, also along several dimensions.
// CHECK-LABEL: kernel.func @words_as_they_lie.matmul_0
// CHECK: %[[A:.*]] = kernel.load %{{.*}} : memref<16x4x3xi32>
// CHECK: %[[B:.*]] = kernel.load %{{.*}} : memref<4x34xi32>
// CHECK: %[[ROW:.*]] = kernel.broadcast %[[B]] {{.*}} tensor<1x32xi32>
// CHECK: kernel.dot pairs %[[A]], %[[ROW]], %{{.*}} : tensor<8x1xi32>, tensor<1x32xi32>, tensor<8x32xf32>
func.func @words_as_they_lie(%x: memref<16x4x3xi32>, %w: memref<4x34xi32>, %y: memref<16x32xf32>) {
  kernel.matmul (%m = 16, %n = 32) over (%k = 4, %l = 3) into %y lhs {
    %a = loop.load %x[%m, %k, %l] : memref<16x4x3xi32>
    loop.yield %a : i32
  } rhs {
    %a = loop.load %w[%k, %n + %l] : memref<4x34xi32>
    loop.yield %a : i32
  } tile [8, 32] pack [false, false] : memref<16x32xf32>
  return
}
