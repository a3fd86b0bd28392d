// Two arguments may be the same memory, at any distance; unless it is said that they are not.

// RUN: terrace-opt %s --convert-affine-to-loop --verify-diagnostics -o - | FileCheck %s

// CHECK-LABEL: func.func @unknown
//   CHECK-NOT:   loop.
func.func @unknown(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-remark @+1 {{stays: has 'affine.load' of an element that another point may write}}
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xf32>
    affine.store %a, %y[%i] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func.func @said
//       CHECK:   loop.pointwise
func.func @said(%x: memref<8xf32>, %y: memref<8xf32>) {
  %p, %q = memref.distinct_objects %x, %y : memref<8xf32>, memref<8xf32>
  affine.for %i = 0 to 8 {
    %a = affine.load %p[%i] : memref<8xf32>
    affine.store %a, %q[%i] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func.func @alone
//       CHECK:   loop.pointwise
func.func @alone(%x: memref<8xf32>, %y: memref<8xf32> {llvm.noalias}) {
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xf32>
    affine.store %a, %y[%i] : memref<8xf32>
  }
  return
}
