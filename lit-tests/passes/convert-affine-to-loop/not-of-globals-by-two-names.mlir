// One global by two values is one memory.

// RUN: terrace-opt %s --convert-affine-to-loop --verify-diagnostics -o - | FileCheck %s

memref.global "private" @g : memref<8xf32>
memref.global "private" @h : memref<8xf32>

// CHECK-LABEL: func.func @one
//   CHECK-NOT:   loop.
func.func @one() {
  %x = memref.get_global @g : memref<8xf32>
  %y = memref.get_global @g : memref<8xf32>
  // expected-remark @+1 {{stays: has 'affine.load' of an element that another point may write}}
  affine.for %i = 0 to 7 {
    %a = affine.load %x[%i] : memref<8xf32>
    affine.store %a, %y[%i + 1] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func.func @two
//       CHECK:   loop.scatter
func.func @two() {
  %x = memref.get_global @g : memref<8xf32>
  %y = memref.get_global @h : memref<8xf32>
  affine.for %i = 0 to 7 {
    %a = affine.load %x[%i] : memref<8xf32>
    affine.store %a, %y[%i + 1] : memref<8xf32>
  }
  return
}
