// RUN: terrace-opt %s --convert-loop-to-kernel | FileCheck %s

// Equal kernels are one; a name that is taken is left alone.
// CHECK: kernel.func @twice.pointwise_1
// CHECK-NOT: kernel.func
// CHECK: func.func @twice
// CHECK: kernel.launch @twice.pointwise_1
// CHECK: kernel.launch @twice.pointwise_1
func.func private @twice.pointwise_0()
func.func @twice(%x: memref<64xf32>, %y: memref<64xf32>) {
  loop.pointwise (%i = 64) into %y {
    %a = loop.load %x[%i] : memref<64xf32>
    loop.yield %a : f32
  } : memref<64xf32>
  loop.pointwise (%i = 64) into %x {
    %a = loop.load %y[%i] : memref<64xf32>
    loop.yield %a : f32
  } : memref<64xf32>
  return
}
