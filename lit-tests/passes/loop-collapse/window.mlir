// RUN: terrace-opt %s --loop-collapse --split-input-file | FileCheck %s

// Channels 64 to 95 of each image: rows of 1,568 numbers.
// CHECK-LABEL: func.func @channels(
//       CHECK:   %[[W:.*]] = memref.subview %{{.*}}[0, 64, 0, 0] [8, 32, 7, 7] [1, 1, 1, 1]
//       CHECK:   loop.pointwise (%[[N:.*]] = 8, %[[K:.*]] = 1568) into %{{.*}} {
//       CHECK:     loop.load %{{.*}}[%[[N]], %[[K]]] : memref<8x1568xf32>
//       CHECK:   } : memref<8x1568xf32, strided<[4704, 1], offset: 3136>>
func.func @channels(%x: memref<8x32x7x7xf32>, %y: memref<8x96x7x7xf32>) {
  loop.scatter (%n = 8, %c = 32, %h = 7, %w = 7) into %y {
    %a = loop.load %x[%n, %c, %h, %w] : memref<8x32x7x7xf32>
    loop.yield %a at [%n, %c + 64, %h, %w] : f32
  } : memref<8x96x7x7xf32>
  return
}

// -----

// A number is a dimension that the window does not have; every second column. What is decided stays.
// CHECK-LABEL: func.func @columns(
//       CHECK:   %[[W:.*]] = memref.subview %{{.*}}[3, 0, 1] [1, 4, 5] [1, 1, 2] : memref<8x4x16xf32> to memref<4x5xf32, strided<[16, 2], offset: 193>>
//       CHECK:   loop.pointwise (%{{.*}} = 4, %{{.*}} = 5) into %[[W]] {
//       CHECK:   } order [1, 0]
func.func @columns(%x: memref<4x5xf32>, %y: memref<8x4x16xf32>) {
  loop.scatter ordered (%i = 4, %j = 5) into %y {
    %a = loop.load %x[%i, %j] : memref<4x5xf32>
    loop.yield %a at [3, %i, %j * 2 + 1] : f32
  } order [1, 0] : memref<8x4x16xf32>
  return
}

// -----

// A single element has no neighbours: upstream knows by its strides which dimension the window has left out.
// CHECK-LABEL: func.func @single(
//       CHECK:   memref.subview %{{.*}}[0, 0] [1, 1] [1, 1] : memref<1x1xi32> to memref<1xi32, strided<[1]>>
func.func @single(%x: memref<1x1xi32>) {
  loop.scatter (%i = 1) into %x {
    %c = arith.constant 1 : i32
    loop.yield %c at [0, %i * 2] : i32
  } : memref<1x1xi32>
  return
}

// -----

// Steps beside it would keep upstream from knowing.
// CHECK-LABEL: func.func @steps(
//       CHECK:   loop.scatter
func.func @steps(%x: memref<4x1x4xi32>) {
  loop.scatter (%i = 2, %j = 1) into %x {
    %c = arith.constant 1 : i32
    loop.yield %c at [%i * 2, %j, 1] : i32
  } : memref<4x1x4xi32>
  return
}
