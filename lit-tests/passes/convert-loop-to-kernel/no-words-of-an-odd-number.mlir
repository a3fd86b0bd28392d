// Of three channels, and windows of three by three, one would be left over.

// RUN: terrace-opt %s --convert-loop-to-kernel=pairs=true | FileCheck %s

// CHECK-LABEL: func.func @odd
// CHECK-NOT: xi32>
func.func @odd(%x: memref<2x3x34x34xbf16>, %w: memref<16x3x3x3xbf16>, %y: memref<2x16x32x32xf32>) {
  loop.reduction add (%b = 2, %o = 16, %i = 32, %j = 32) over (%c = 3, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i + %h, %j + %v] : memref<2x3x34x34xbf16>
    %n = arith.extf %a : bf16 to f32
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x3x3x3xbf16>
    %u = arith.extf %t : bf16 to f32
    %p = arith.mulf %n, %u : f32
    loop.yield %p : f32
  } : memref<2x16x32x32xf32>
  return
}
