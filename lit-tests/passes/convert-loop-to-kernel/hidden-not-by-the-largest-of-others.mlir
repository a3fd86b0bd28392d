// RUN: terrace-opt %s --convert-loop-to-kernel --canonicalize | FileCheck %s

// By the largest of other elements a row is not shifted to 1: its sum may come to 0, and hidden points to NaN.
// CHECK-LABEL: kernel.func @main.blocks_0(
// CHECK: scf.for %{{.*}} = %c0 to %c128 step %c32 {
// CHECK: kernel.dot
func.func @main(%q: memref<64x16xf32>, %k: memref<128x16xf32>, %v: memref<128x16xf32>, %y: memref<64x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %never = arith.constant 0xFF800000 : f32
  loop.group (%i = 64) into (%y as %to : memref<64x16xf32>) {
    %s = loop.reduction add (%j = 128) over (%d = 16) {
      %a = loop.load %q[%i, %d] : memref<64x16xf32>
      %b = loop.load %k[%j, %d] : memref<128x16xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : tensor<128xf32>
    %t = loop.pointwise (%j = 128) {
        %a = arith.index_cast %j : index to i64
        %b = arith.index_cast %i : index to i64
        %c = arith.cmpi sle, %a, %b : i64
        %d = loop.load %s[%j] : tensor<128xf32>
        %f = arith.select %c, %d, %never : f32
        loop.yield %f : f32
    } : tensor<128xf32>
    %u = loop.pointwise (%j = 128) {
        %a = arith.index_cast %j : index to i64
        %b = arith.index_cast %i : index to i64
        %c = arith.cmpi sle, %a, %b : i64
        %d = loop.load %s[%j] : tensor<128xf32>
        %h = arith.mulf %d, %half : f32
        %f = arith.select %c, %h, %never : f32
        loop.yield %f : f32
    } : tensor<128xf32>
    %largest = loop.reduction max over (%j = 128) {
      %a = loop.load %u[%j] : tensor<128xf32>
      loop.yield %a : f32
    } : f32
    %none = arith.cmpf oeq, %largest, %never : f32
    %shift = arith.select %none, %zero, %largest : f32
    %e = loop.pointwise (%j = 128) {
      %a = loop.load %t[%j] : tensor<128xf32>
      %b = arith.subf %a, %shift : f32
      %c = math.exp %b : f32
      loop.yield %c : f32
    } : tensor<128xf32>
    %sum = loop.reduction add over (%j = 128) {
      %a = loop.load %e[%j] : tensor<128xf32>
      loop.yield %a : f32
    } : f32
    %w = loop.pointwise (%j = 128) {
      %a = loop.load %e[%j] : tensor<128xf32>
      %b = arith.divf %a, %sum : f32
      loop.yield %b : f32
    } : tensor<128xf32>
    %o = loop.reduction add (%d = 16) over (%j = 128) {
      %a = loop.load %w[%j] : tensor<128xf32>
      %b = loop.load %v[%j, %d] : memref<128x16xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : tensor<16xf32>
    loop.in_parallel {
      loop.insert %o into %to at [%i, :] : tensor<16xf32> into memref<64x16xf32>
    }
  }
  return
}
