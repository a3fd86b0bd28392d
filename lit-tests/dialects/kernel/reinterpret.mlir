// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @parts
// CHECK: kernel.reinterpret %{{.*}} : memref<4xcomplex<f32>> to memref<4x2xf32>
// CHECK: kernel.reinterpret %{{.*}} : memref<4x2xf32> to memref<4xcomplex<f32>>
func.func @parts(%z: memref<4xcomplex<f32>>) -> memref<4xcomplex<f32>> {
  %p = kernel.reinterpret %z : memref<4xcomplex<f32>> to memref<4x2xf32>
  %q = kernel.reinterpret %p : memref<4x2xf32> to memref<4xcomplex<f32>>
  return %q : memref<4xcomplex<f32>>
}

// Strides and offset count elements of the new type, known or not.
// CHECK-LABEL: func.func @strided
// CHECK: to memref<4x12xi8, strided<[20, 1], offset: 8>>
// CHECK: to memref<?x2xf32, strided<[?, 1], offset: ?>>
func.func @strided(%x: memref<4x3xf32, strided<[5, 1], offset: 2>>, %y: memref<?xcomplex<f32>, strided<[?], offset: ?>>) {
  %a = kernel.reinterpret %x : memref<4x3xf32, strided<[5, 1], offset: 2>> to memref<4x12xi8, strided<[20, 1], offset: 8>>
  %b = kernel.reinterpret %y : memref<?xcomplex<f32>, strided<[?], offset: ?>> to memref<?x2xf32, strided<[?, 1], offset: ?>>
  return
}
