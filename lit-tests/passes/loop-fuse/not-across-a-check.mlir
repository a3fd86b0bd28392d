// RUN: terrace-opt %s --loop-fuse | FileCheck %s

// What follows may need what is checked.
// CHECK-LABEL: func.func @main(
// CHECK: loop.reduction and
// CHECK: cf.assert %{{.*}}, "no"
// CHECK: loop.reduction add
func.func @main(%x: memref<64xi64> {llvm.noalias}, %y: memref<64xf32> {llvm.noalias}) -> f32 {
  %c9 = arith.constant 9 : i64
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0 : i8
  %flag = memref.alloc() : memref<i8>
  %sum = memref.alloc() : memref<f32>
  %half = memref.alloc() : memref<f32>
  loop.reduction and over (%i = 64) into %flag {
    %a = loop.load %x[%i] : memref<64xi64>
    %c = arith.cmpi ult, %a, %c9 : i64
    %b = arith.extui %c : i1 to i8
    loop.yield %b : i8
  } : memref<i8>
  %f = memref.load %flag[] : memref<i8>
  %holds = arith.cmpi ne, %f, %zero : i8
  cf.assert %holds, "no"
  loop.reduction add over (%i = 64) into %sum {
    %a = loop.load %y[%i] : memref<64xf32>
    %c = loop.load %x[%i] : memref<64xi64>
    %d = arith.sitofp %c : i64 to f32
    %e = arith.mulf %a, %d : f32
    loop.yield %e : f32
  } : memref<f32>
  loop.pointwise () into %half {
    %a = loop.load %sum[] : memref<f32>
    %b = arith.divf %a, %two : f32
    loop.yield %b : f32
  } : memref<f32>
  %r = memref.load %half[] : memref<f32>
  return %r : f32
}
