// A body that computes with an index needs it.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK: func.func @computed(
// CHECK: loop.group (%{{.+}} = 8, %{{.+}} = 32)
func.func @computed(%x: memref<8x32x3xf32>, %y: memref<8x32x3xf32>, %z: memref<8x32x3xf32>) {
  loop.group (%i = 8, %j = 32) into (%y as %to_y : memref<8x32x3xf32>, %z as %to_z : memref<8x32x3xf32>) {
    %0 = loop.pointwise (%k = 3) {
      %a = loop.load %x[%i, %j, %k] : memref<8x32x3xf32>
      %n = arith.index_cast %k : index to i32
      %f = arith.sitofp %n : i32 to f32
      %u = arith.addf %a, %f : f32
      loop.yield %a : f32
    } : tensor<3xf32>
    %1 = loop.pointwise (%k = 3) {
      %a = loop.load %0[%k] : tensor<3xf32>
      %b = loop.load %z[%i, %j, %k] : memref<8x32x3xf32>
      %c = arith.addf %a, %b : f32
      loop.yield %c : f32
    } : tensor<3xf32>
    loop.in_parallel {
      loop.insert %0 into %to_y at [%i, %j, :] : tensor<3xf32> into memref<8x32x3xf32>
      loop.insert %1 into %to_z at [%i, %j, :] : tensor<3xf32> into memref<8x32x3xf32>
    }
  }
  return
}
