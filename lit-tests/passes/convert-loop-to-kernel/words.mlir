// RUN: terrace-opt %s --convert-loop-to-kernel=pairs=true --split-input-file | FileCheck %s
// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s --check-prefix=NONE

// With instructions for pairs both factors of a convolution of bf16 are copied as words of two channels; lines of these are read as they
// lie. Without them the image is read as it is.
// CHECK-LABEL: kernel.func @convolution.windows_0
// CHECK-SAME: memref<16x8x9xbf16>, %{{.*}}: memref<16x4x9xi32>
// CHECK-LABEL: kernel.func @convolution.words_0
// CHECK-SAME: memref<2x8x34x34xbf16>, %{{.*}}: memref<2x4x34x34xi32>
// CHECK: kernel.load %{{.*}}[%{{.*}}, %[[C:.*]] * 2, %{{.*}}]
// CHECK: kernel.load %{{.*}}[%{{.*}}, %[[C]] * 2 + 1, %{{.*}}]
// CHECK-LABEL: func.func @convolution
// CHECK: kernel.matmul (%[[B:.*]] = 2, %[[I:.*]] = 32, %[[M:.*]] = 16, %[[N:.*]] = 32) over (%[[K:.*]] = 4, %[[H:.*]] = 3, %[[V:.*]] = 3)
// CHECK-NEXT: %[[L:.*]] = loop.load %{{.*}}[%[[M]], %[[K]], %[[H]], %[[V]]] : memref<16x4x3x3xi32>
// CHECK-NEXT: loop.yield %[[L]] : i32
// CHECK: } rhs {
// CHECK-NEXT: %[[R:.*]] = loop.load %{{.*}}[%[[B]], %[[K]], (%[[I]] + %[[H]]) * 34 + %[[N]] + %[[V]]] : memref<2x4x1156xi32>
// CHECK-NEXT: loop.yield %[[R]] : i32
// NONE-LABEL: func.func @convolution
// NONE: kernel.matmul (%{{.*}} = 2, %{{.*}} = 32, %{{.*}} = 16, %{{.*}} = 32) over (%{{.*}} = 8, %{{.*}} = 3, %{{.*}} = 3)
// NONE: } rhs {
// NONE-NEXT: %[[A:.*]] = loop.load %{{.*}} : memref<2x8x1156xbf16>
// NONE-NEXT: %[[B:.*]] = arith.extf %[[A]] : bf16 to f32
// NONE-NEXT: loop.yield %[[B]] : f32
func.func @convolution(%x: memref<2x8x34x34xbf16>, %w: memref<16x8x3x3xbf16>, %y: memref<2x16x32x32xf32>) {
  loop.reduction add (%b = 2, %o = 16, %i = 32, %j = 32) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i + %h, %j + %v] : memref<2x8x34x34xbf16>
    %n = arith.extf %a : bf16 to f32
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x8x3x3xbf16>
    %u = arith.extf %t : bf16 to f32
    %p = arith.mulf %n, %u : f32
    loop.yield %p : f32
  } : memref<2x16x32x32xf32>
  return
}

// -----

// The channels of a group begin at an even one.
// CHECK-LABEL: func.func @groups
// CHECK: kernel.matmul
// CHECK: } rhs {
// CHECK: loop.load %{{.*}}[%[[G:.*]] * 4 + %[[K:.*]], (%{{.*}} + %{{.*}}) * 34 + %{{.*}} + %{{.*}}] : memref<16x1156xi32>
func.func @groups(%x: memref<32x34x34xbf16>, %w: memref<4x16x8x3x3xbf16>, %y: memref<4x16x32x32xf32>) {
  loop.reduction add (%g = 4, %o = 16, %i = 32, %j = 32) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%g * 8 + %c, %i + %h, %j + %v] : memref<32x34x34xbf16>
    %n = arith.extf %a : bf16 to f32
    %t = loop.load %w[%g, %o, %c, %h, %v] : memref<4x16x8x3x3xbf16>
    %u = arith.extf %t : bf16 to f32
    %p = arith.mulf %n, %u : f32
    loop.yield %p : f32
  } : memref<4x16x32x32xf32>
  return
}

// -----

// Windows that are copied are words, too: half as many elements.
// CHECK-LABEL: func.func @windows
// CHECK: memref.alloc() {{.*}} : memref<16x4x3x3xi32>
// CHECK: memref.alloc() {{.*}} : memref<2x4x3x3x5x5xi32>
// CHECK: kernel.matmul (%{{.*}} = 2, %{{.*}} = 16, %{{.*}} = 25) over (%{{.*}} = 36)
func.func @windows(%x: memref<2x8x11x11xbf16>, %w: memref<16x8x3x3xbf16>, %y: memref<2x16x5x5xf32>) {
  loop.reduction add (%b = 2, %o = 16, %i = 5, %j = 5) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i * 2 + %h, %j * 2 + %v] : memref<2x8x11x11xbf16>
    %n = arith.extf %a : bf16 to f32
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x8x3x3xbf16>
    %u = arith.extf %t : bf16 to f32
    %p = arith.mulf %n, %u : f32
    loop.yield %p : f32
  } : memref<2x16x5x5xf32>
  return
}

// -----

// A weight whose channels are the last in memory is words as it lies; it is copied in another order, kernel positions as one dimension.
// CHECK-LABEL: kernel.func @channels_last.windows_0
// CHECK-SAME: memref<16x9x4xi32, strided<[36, 4, 1]>>, %{{.*}}: memref<16x4x9xi32>
// CHECK-LABEL: func.func @channels_last
// CHECK: %[[TURNED:.*]] = memref.transpose %{{.*}} (d0, d1, d2, d3) -> (d0, d2, d3, d1)
// CHECK: kernel.reinterpret %[[TURNED]] : memref<16x3x3x8xbf16, strided<[72, 24, 8, 1]>> to memref<16x3x3x4xi32, strided<[36, 12, 4, 1]>>
func.func @channels_last(%x: memref<2x8x34x34xbf16>, %w: memref<16x8x3x3xbf16, strided<[72, 1, 24, 8]>>, %y: memref<2x16x32x32xf32>) {
  loop.reduction add (%b = 2, %o = 16, %i = 32, %j = 32) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i + %h, %j + %v] : memref<2x8x34x34xbf16>
    %n = arith.extf %a : bf16 to f32
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x8x3x3xbf16, strided<[72, 1, 24, 8]>>
    %u = arith.extf %t : bf16 to f32
    %p = arith.mulf %n, %u : f32
    loop.yield %p : f32
  } : memref<2x16x32x32xf32>
  return
}

// -----

// One whose rows begin in the middle of a word is read as two numbers.
// CHECK-LABEL: func.func @odd_rows
// CHECK-NOT: kernel.reinterpret
func.func @odd_rows(%x: memref<2x8x34x34xbf16>, %w: memref<16x8x3x3xbf16, strided<[81, 1, 27, 9]>>, %y: memref<2x16x32x32xf32>) {
  loop.reduction add (%b = 2, %o = 16, %i = 32, %j = 32) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i + %h, %j + %v] : memref<2x8x34x34xbf16>
    %n = arith.extf %a : bf16 to f32
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x8x3x3xbf16, strided<[81, 1, 27, 9]>>
    %u = arith.extf %t : bf16 to f32
    %p = arith.mulf %n, %u : f32
    loop.yield %p : f32
  } : memref<2x16x32x32xf32>
  return
}
