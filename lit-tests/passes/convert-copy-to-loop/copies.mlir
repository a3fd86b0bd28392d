// RUN: terrace-opt %s --convert-copy-to-loop --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @strided
// CHECK: loop.pointwise (%[[I:.*]] = 4, %[[J:.*]] = 2) into %{{.*}} {
// CHECK: loop.load %{{.*}}[%[[I]], %[[J]]] : memref<4x2xf32>
// CHECK-NOT: memref.copy
func.func @strided(%a: memref<4x2xf32>, %b: memref<4x2xf32, strided<[1, 4]>>) {
  memref.copy %a, %b : memref<4x2xf32> to memref<4x2xf32, strided<[1, 4]>>
  return
}

// -----

func.func @dynamic(%a: memref<?xf32>, %b: memref<?xf32>) {
  // expected-error @+1 {{'memref.copy' op has sizes that are not known: only static ones are lowered yet}}
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}
