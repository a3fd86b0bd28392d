// A number is made of an index, so a member keeps its dimensions, and so does who reads what it gives.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK-NOT: memref.collapse_shape
// CHECK: loop.reduction add over (%{{.*}} = 8, %{{.*}} = 2)
func.func @number(%x: memref<3x8x2xf32>, %y: memref<3xf32>) {
  loop.group (%g = 3) into (%y as %to : memref<3xf32>) {
    %e = loop.pointwise (%i = 8, %j = 2) {
      %a = loop.load %x[%g, %i, %j] : memref<3x8x2xf32>
      %n = arith.index_cast %j : index to i32
      %m = arith.sitofp %n : i32 to f32
      %b = arith.mulf %a, %m : f32
      loop.yield %b : f32
    } : tensor<8x2xf32>
    %s = loop.reduction add over (%i = 8, %j = 2) {
      %a = loop.load %e[%i, %j] : tensor<8x2xf32>
      loop.yield %a : f32
    } : f32
    loop.in_parallel {
      loop.insert %s into %to at [%g] : f32 into memref<3xf32>
    }
  }
  return
}
