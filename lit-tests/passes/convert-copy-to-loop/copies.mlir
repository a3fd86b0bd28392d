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

// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %{{.*}}: memref<?x4xf32>, %[[B:.*]]: memref<?x4xf32>
// CHECK: %[[N:.*]] = memref.dim %[[B]], %c0
// CHECK: loop.pointwise (%[[I:.*]] = %[[N]], %[[J:.*]] = 4) into %[[B]]
// CHECK-NOT: memref.copy
func.func @dynamic(%a: memref<?x4xf32>, %b: memref<?x4xf32>) {
  memref.copy %a, %b : memref<?x4xf32> to memref<?x4xf32>
  return
}
