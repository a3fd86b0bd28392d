// A member that reads another element of a row than its own needs the row, and not the joined one.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK: func.func @of_a_member(
// CHECK: loop.group (%{{.+}} = 8, %{{.+}} = 32)
func.func @of_a_member(%x: memref<8x32x3xf32>, %y: memref<8x32x3xf32>, %z: memref<8x32x3xf32>) {
  loop.group (%i = 8, %j = 32) into (%y as %to_y : memref<8x32x3xf32>, %z as %to_z : memref<8x32x3xf32>) {
    %0 = loop.pointwise (%k = 3) {
      %a = loop.load %x[%i, %j, %k] : memref<8x32x3xf32>
      loop.yield %a : f32
    } : tensor<3xf32>
    %1 = loop.pointwise (%k = 3) {
      %a = loop.load %0[2 - %k] : tensor<3xf32>
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

// CHECK: func.func @of_what_is_written(
// CHECK: loop.group (%{{.+}} = 8, %{{.+}} = 32)
func.func @of_what_is_written(%x: memref<8x32x3xf32>, %y: memref<8x32x3xf32>, %z: memref<8x32x3xf32>) {
  loop.group (%i = 8, %j = 32) into (%y as %to_y : memref<8x32x3xf32>, %z as %to_z : memref<8x32x3xf32>) {
    %0 = loop.pointwise (%k = 3) {
      %a = loop.load %x[%i, %j, %k] : memref<8x32x3xf32>
      loop.yield %a : f32
    } : tensor<3xf32>
    %1 = loop.pointwise (%k = 3) {
      %a = loop.load %0[%k] : tensor<3xf32>
      %b = loop.load %z[%i, %j, 2 - %k] : memref<8x32x3xf32>
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

// CHECK: func.func @of_a_buffer(
// CHECK: loop.group (%{{.+}} = 8, %{{.+}} = 32)
func.func @of_a_buffer(%x: memref<8x32x3xf32>, %y: memref<8x32x3xf32>, %z: memref<8x32x3xf32>) {
  loop.group (%i = 8, %j = 32) into (%y as %to_y : memref<8x32x3xf32>, %z as %to_z : memref<8x32x3xf32>) {
    %0 = loop.pointwise (%k = 3) {
      %a = loop.load %x[%i, %j, 2 - %k] : memref<8x32x3xf32>
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
