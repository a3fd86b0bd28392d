// One factor is f16, which is no upper half of an f32; and one is computed.

// RUN: terrace-opt %s --convert-loop-to-kernel=pairs=true | FileCheck %s

// CHECK-LABEL: func.func @f16
// CHECK-NOT: xi32>
func.func @f16(%x: memref<2x8x34x34xf16>, %w: memref<16x8x3x3xbf16>, %y: memref<2x16x32x32xf32>) {
  loop.reduction add (%b = 2, %o = 16, %i = 32, %j = 32) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i + %h, %j + %v] : memref<2x8x34x34xf16>
    %n = arith.extf %a : f16 to f32
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x8x3x3xbf16>
    %u = arith.extf %t : bf16 to f32
    %p = arith.mulf %n, %u : f32
    loop.yield %p : f32
  } : memref<2x16x32x32xf32>
  return
}

// CHECK-LABEL: func.func @computed
// CHECK-NOT: xi32>
func.func @computed(%x: memref<2x8x34x34xbf16>, %w: memref<16x8x3x3xbf16>, %y: memref<2x16x32x32xf32>) {
  loop.reduction add (%b = 2, %o = 16, %i = 32, %j = 32) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i + %h, %j + %v] : memref<2x8x34x34xbf16>
    %n = arith.extf %a : bf16 to f32
    %e = math.exp %n : f32
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x8x3x3xbf16>
    %u = arith.extf %t : bf16 to f32
    %p = arith.mulf %e, %u : f32
    loop.yield %p : f32
  } : memref<2x16x32x32xf32>
  return
}
