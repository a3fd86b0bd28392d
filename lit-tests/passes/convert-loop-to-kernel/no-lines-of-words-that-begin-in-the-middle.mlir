// The channels of a group begin at an odd one, are those of a buffer with one more, or lie with gaps: no lines of words; windows of
// them are copied.

// RUN: terrace-opt %s --convert-loop-to-kernel=pairs=true --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @odd_groups
// CHECK-NOT: words_0
// CHECK: kernel.matmul
// CHECK: : memref<{{.*}}xi32>
func.func @odd_groups(%x: memref<28x34x34xbf16>, %w: memref<4x16x8x3x3xbf16>, %y: memref<4x16x32x32xf32>) {
  loop.reduction add (%g = 4, %o = 16, %i = 32, %j = 32) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%g * 5 + %c, %i + %h, %j + %v] : memref<28x34x34xbf16>
    %n = arith.extf %a : bf16 to f32
    %t = loop.load %w[%g, %o, %c, %h, %v] : memref<4x16x8x3x3xbf16>
    %u = arith.extf %t : bf16 to f32
    %p = arith.mulf %n, %u : f32
    loop.yield %p : f32
  } : memref<4x16x32x32xf32>
  return
}

// -----

// CHECK-LABEL: func.func @one_more
// CHECK-NOT: words_0
// CHECK: kernel.matmul
// CHECK: : memref<{{.*}}xi32>
func.func @one_more(%x: memref<9x34x34xbf16>, %w: memref<16x8x3x3xbf16>, %y: memref<16x32x32xf32>) {
  loop.reduction add (%o = 16, %i = 32, %j = 32) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%c, %i + %h, %j + %v] : memref<9x34x34xbf16>
    %n = arith.extf %a : bf16 to f32
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x8x3x3xbf16>
    %u = arith.extf %t : bf16 to f32
    %p = arith.mulf %n, %u : f32
    loop.yield %p : f32
  } : memref<16x32x32xf32>
  return
}

// -----

// CHECK-LABEL: func.func @gaps
// CHECK-NOT: words_0
// CHECK: kernel.matmul
// CHECK: : memref<{{.*}}xi32>
func.func @gaps(%x: memref<8x66x66xbf16, strided<[8192, 80, 1]>>, %w: memref<16x8x3x3xbf16>, %y: memref<16x64x64xf32>) {
  loop.reduction add (%o = 16, %i = 64, %j = 64) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%c, %i + %h, %j + %v] : memref<8x66x66xbf16, strided<[8192, 80, 1]>>
    %n = arith.extf %a : bf16 to f32
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x8x3x3xbf16>
    %u = arith.extf %t : bf16 to f32
    %p = arith.mulf %n, %u : f32
    loop.yield %p : f32
  } : memref<16x64x64xf32>
  return
}
