// Between rows of a strided buffer lie other elements: one index does not run through it.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK-NOT: memref.collapse_shape
// CHECK: loop.load %{{.*}}[%{{.*}} floordiv 6, %{{.*}} mod 6]
func.func @apart(%x: memref<4x6xf32, strided<[8, 1]>>, %y: memref<24xf32>) {
  loop.pointwise (%k = 24) into %y {
    %a = loop.load %x[%k floordiv 6, %k mod 6] : memref<4x6xf32, strided<[8, 1]>>
    loop.yield %a : f32
  } : memref<24xf32>
  return
}
