// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// What a program says of its order and its tile is what is done.

// The lanes are rows though columns are contiguous; a grid point has 8 columns and 16 rows, columns first.
// CHECK-LABEL: kernel.func @lanes_are_rows.pointwise_0
// CHECK-SAME: grid(%{{.*}} in 8, %{{.*}} in 4)
// CHECK: kernel.load %{{.*}}[%{{.*}} : 16, %{{.*}}]
func.func @lanes_are_rows(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  loop.pointwise (%i = 64, %j = 64) into %y {
    %a = loop.load %x[%i, %j] : memref<64x64xf32>
    loop.yield %a : f32
  } order [1, 0] tile [16, 8] : memref<64x64xf32>
  return
}

// -----

// Blocks begin where strips end: tiles of 8, of which 24 has a whole number.
// CHECK-LABEL: kernel.func @strips_end_with_blocks.pointwise_0
// CHECK-SAME: grid(%{{.*}} in 3)
// CHECK: kernel.load %{{.*}}[%{{.*}} : 8]
func.func @strips_end_with_blocks(%x: memref<64xf32>, %y: memref<64xf32>) {
  loop.pointwise (%i = 64) into %y {
    %a = loop.load %x[%i] : memref<64xf32>
    loop.yield %a : f32
  } tile [24] : memref<64xf32>
  return
}

// -----

// The lanes are results, not terms.
// CHECK-LABEL: kernel.func @sums_side_by_side.reduction_0
// CHECK-SAME: grid()
// CHECK: scf.for %[[J:.*]] = %c0 to %c64 step %c1 iter_args
// CHECK: kernel.load %{{.*}}[%{{.*}} : 32, %[[J]]]
// CHECK-NOT: kernel.reduce
func.func @sums_side_by_side(%x: memref<32x64xf32>, %y: memref<32xf32>) {
  loop.reduction add (%i = 32) over (%j = 64) into %y {
    %a = loop.load %x[%i, %j] : memref<32x64xf32>
    loop.yield %a : f32
  } order [1, 0] tile [32] : memref<32xf32>
  return
}

// -----

// A product with a schedule of its own is a reduction like any other.
// CHECK-LABEL: kernel.func @scheduled.reduction_0
// CHECK-NOT: kernel.dot
func.func @scheduled(%x: memref<16x32xf32>, %y: memref<32x64xf32>, %z: memref<16x64xf32>) {
  loop.reduction add (%i = 16, %j = 64) over (%k = 32) into %z {
    %a = loop.load %x[%i, %k] : memref<16x32xf32>
    %b = loop.load %y[%k, %j] : memref<32x64xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } tile [1, 64] : memref<16x64xf32>
  return
}
