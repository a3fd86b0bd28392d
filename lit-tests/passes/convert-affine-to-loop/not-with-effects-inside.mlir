// A call may do anything.

// RUN: terrace-opt %s --convert-affine-to-loop --verify-diagnostics -o - | FileCheck %s

// CHECK-NOT: loop.
func.func private @anything()
func.func @called(%x: memref<8xf32>, %k: f32) {
  // expected-remark @+1 {{stays: has 'func.call' in it: expects loads, stores and arithmetic}}
  affine.for %i = 0 to 8 {
    affine.store %k, %x[%i] : memref<8xf32>
    func.call @anything() : () -> ()
  }
  return
}
