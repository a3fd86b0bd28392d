// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// A mask that is the same for all lanes: all of a range or nothing of it.
// CHECK-LABEL: kernel.func @rows_off.pointwise_0
// CHECK: %[[ON:.*]] = arith.cmpi slt, %{{.*}}, %c3 : index
// CHECK: %[[V:.*]] = arith.select %[[ON]], %c64, %c0 : index
// CHECK: kernel.load %{{.*}}[%{{.*}}, %c0 : 64] valid(%[[V]]) else %{{.*}} : memref<3x64xf32>, f32
func.func @rows_off(%x: memref<3x64xf32>, %y: memref<4x64xf32>) {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  loop.pointwise (%i = 4, %j = 64) into %y {
    %on = arith.cmpi slt, %i, %c3 : index
    %a = loop.load %x[%i, %j] if %on else %zero : memref<3x64xf32>, f32
    loop.yield %a : f32
  } : memref<4x64xf32>
  return
}

// -----

// One that differs, on the lanes that are there.
// CHECK-LABEL: kernel.func @lanes_off.pointwise_0
// CHECK: %[[ON:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : tensor<8xindex>
// CHECK: %[[THERE:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : tensor<8xindex>
// CHECK: %[[M:.*]] = arith.andi %[[ON]], %[[THERE]]
// CHECK: kernel.gather %{{.*}}[%{{.*}}] mask %[[M]] else %{{.*}} : memref<3xf32>
func.func @lanes_off(%x: memref<3xf32>, %y: memref<5xf32>) {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  loop.pointwise (%i = 5) into %y {
    %on = arith.cmpi slt, %i, %c3 : index
    %a = loop.load %x[%i] if %on else %zero : memref<3xf32>, f32
    loop.yield %a : f32
  } : memref<5xf32>
  return
}

// -----

// What stands where the mask is off may differ as well.
// CHECK-LABEL: kernel.func @other_differs.pointwise_0
// CHECK: %[[O:.*]] = kernel.load %{{.*}}[%c0 : 64] : memref<64xf32>
// CHECK: %[[G:.*]] = kernel.gather %{{.*}} mask %[[M:.*]] else
// CHECK: arith.select %[[M]], %[[G]], %[[O]]
func.func @other_differs(%x: memref<3xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  %c3 = arith.constant 3 : index
  loop.pointwise (%i = 64) into %y {
    %on = arith.cmpi slt, %i, %c3 : index
    %o = loop.load %z[%i] : memref<64xf32>
    %a = loop.load %x[%i] if %on else %o : memref<3xf32>, f32
    loop.yield %a : f32
  } : memref<64xf32>
  return
}

// -----

// A scalar load is not made where its mask is off.
// CHECK-LABEL: kernel.func @scalar.pointwise_0
// CHECK: %[[ON:.*]] = arith.cmpi slt
// CHECK: scf.if %[[ON]] -> (f32)
// CHECK-NEXT: memref.load
func.func @scalar(%x: memref<3xf32>, %y: memref<4x64xf32>) {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  loop.pointwise (%i = 4, %j = 64) into %y {
    %on = arith.cmpi slt, %i, %c3 : index
    %a = loop.load %x[%i] if %on else %zero : memref<3xf32>, f32
    loop.yield %a : f32
  } : memref<4x64xf32>
  return
}
