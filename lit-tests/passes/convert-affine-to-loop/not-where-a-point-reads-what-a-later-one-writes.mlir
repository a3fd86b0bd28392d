// Each element needs the old value of the next one: in another order it would be the new one.

// RUN: terrace-opt %s --convert-affine-to-loop --verify-diagnostics -o - | FileCheck %s

// CHECK-NOT: loop.
func.func @shifted(%x: memref<8xf32>) {
  // expected-remark @+1 {{stays: has 'affine.load' of an element that another point may write}}
  affine.for %i = 0 to 7 {
    %a = affine.load %x[%i + 1] : memref<8xf32>
    affine.store %a, %x[%i] : memref<8xf32>
  }
  return
}
