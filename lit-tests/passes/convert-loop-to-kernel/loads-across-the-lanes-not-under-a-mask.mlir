// A row of which the mask says that nothing is read may not be there.

// RUN: terrace-opt %s --convert-loop-to-kernel="tile=64 cross=16" | FileCheck %s

// CHECK-NOT: memref.alloca
// CHECK: kernel.return
func.func @masked(%x: memref<64x64xf32>, %y: memref<128x64xf32>) {
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  loop.pointwise (%i = 128, %j = 64) into %y {
    %in = arith.cmpi ult, %i, %c64 : index
    %p = loop.load %x[%j, %i] if %in else %zero : memref<64x64xf32>, f32
    loop.yield %p : f32
  } : memref<128x64xf32>
  return
}
