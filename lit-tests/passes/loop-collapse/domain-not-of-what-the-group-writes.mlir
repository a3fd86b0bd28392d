// The group reads what it writes, at places that stay as they are since a number is made of one: its points are told apart
// by an index of one buffer.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK-NOT: memref.collapse_shape
// CHECK: loop.reduction add over (%{{.*}} = 8, %{{.*}} = 2)
func.func @in_place(%x: memref<3x8x2xf32>) {
  loop.group (%g = 3) into (%x as %y : memref<3x8x2xf32>) {
    %s = loop.reduction add over (%i = 8, %j = 2) {
      %a = loop.load %x[%g, %i, %j] : memref<3x8x2xf32>
      loop.yield %a : f32
    } : f32
    %r = loop.pointwise (%i = 8, %j = 2) {
      %a = loop.load %x[%g, %i, %j] : memref<3x8x2xf32>
      %n = arith.index_cast %j : index to i32
      %m = arith.sitofp %n : i32 to f32
      %b = arith.subf %a, %s : f32
      %c = arith.mulf %b, %m : f32
      loop.yield %c : f32
    } : tensor<8x2xf32>
    loop.in_parallel {
      loop.insert %r into %y at [%g, :, :] : tensor<8x2xf32> into memref<3x8x2xf32>
    }
  }
  return
}
