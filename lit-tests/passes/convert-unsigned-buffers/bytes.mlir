// RUN: terrace-opt %s --convert-unsigned-buffers --split-input-file | FileCheck %s

// CHECK: memref.global "private" constant @table : memref<2xi8> = dense<[-56, 1]>
memref.global "private" constant @table : memref<2xui8> = dense<[200, 1]>

// CHECK-LABEL: func.func @run(%arg0: memref<4xi8, strided<[2]>>, %arg1: memref<4xi8>) -> (memref<4xi8> {graph.dtype = ui8})
func.func @run(%x: memref<4xui8, strided<[2]>>, %m: memref<4xui8>) -> (memref<4xui8> {graph.dtype = ui8}) {
  // CHECK: loop.load %arg0[%{{.*}}] : memref<4xi8, strided<[2]>>
  // CHECK-NEXT: arith.extui %{{.*}} : i8 to i32
  // CHECK-NEXT: arith.trunci %{{.*}} : i32 to i8
  // CHECK-NEXT: loop.yield %{{.*}} : i8
  loop.pointwise (%i = 4) into %m {
    %a = loop.load %x[%i] : memref<4xui8, strided<[2]>>
    %b = builtin.unrealized_conversion_cast %a : ui8 to i8
    %c = arith.extui %b : i8 to i32
    %d = arith.trunci %c : i32 to i8
    %e = builtin.unrealized_conversion_cast %d : i8 to ui8
    loop.yield %e : ui8
  } : memref<4xui8>
  return %m : memref<4xui8>
}
