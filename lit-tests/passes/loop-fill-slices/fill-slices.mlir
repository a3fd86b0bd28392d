// RUN: terrace-opt %s --loop-fill-slices --split-input-file | FileCheck %s

// Channels 64 to 95 of each image.
// CHECK-LABEL: func.func @channels(
//       CHECK:   %[[W:.*]] = memref.subview %{{.*}}[0, 64, 0, 0] [8, 32, 7, 7] [1, 1, 1, 1]
//       CHECK:   loop.pointwise (%[[N:.*]] = 8, %[[C:.*]] = 32, %[[H:.*]] = 7, %[[K:.*]] = 7) into %[[W]] {
//       CHECK:     loop.load %{{.*}}[%[[N]], %[[C]], %[[H]], %[[K]]]
//       CHECK:   } : memref<8x32x7x7xf32, strided<[4704, 49, 7, 1], offset: 3136>>
func.func @channels(%x: memref<8x32x7x7xf32>, %y: memref<8x96x7x7xf32>) {
  loop.scatter (%n = 8, %c = 32, %h = 7, %w = 7) into %y {
    %a = loop.load %x[%n, %c, %h, %w] : memref<8x32x7x7xf32>
    loop.yield %a at [%n, %c + 64, %h, %w] : f32
  } : memref<8x96x7x7xf32>
  return
}

// -----

// A number is a dimension that the slice does not have; every second column. What is decided stays.
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

// A single element has no neighbours: upstream knows by its strides which dimension the slice has left out.
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

// -----

// Of a tensor it is a slice, which is put back: what is made of a product.
// CHECK-LABEL: func.func @part(
//  CHECK-SAME:   %[[X:.*]]: tensor<64x8xf32>, %[[Y:.*]]: tensor<64x768xf32>
//       CHECK:   loop.reduction add
//       CHECK:   %[[W:.*]] = tensor.extract_slice %[[Y]][0, 256] [64, 512] [1, 1]
//       CHECK:   %[[A:.*]] = loop.pointwise (%{{.*}} = 64, %{{.*}} = 512) into %[[W]] {
//       CHECK:   %[[R:.*]] = tensor.insert_slice %[[A]] into %[[Y]][0, 256] [64, 512] [1, 1]
//       CHECK:   return %[[R]]
func.func @part(%x: tensor<64x8xf32>, %y: tensor<64x768xf32>) -> tensor<64x768xf32> {
  %empty = tensor.empty() : tensor<64x512xf32>
  %sum = loop.reduction add (%i = 64, %j = 512) over (%k = 8) into %empty {
    %a = loop.load %x[%i, %k] : tensor<64x8xf32>
    loop.yield %a : f32
  } : tensor<64x512xf32>
  %0 = loop.scatter (%i = 64, %j = 512) into %y {
    %a = loop.load %sum[%i, %j] : tensor<64x512xf32>
    loop.yield %a at [%i, %j + 256] : f32
  } : tensor<64x768xf32>
  return %0 : tensor<64x768xf32>
}

// -----

// Where the slice begins, and how many rows it has, is known when the program runs.
// CHECK-LABEL: func.func @rows(
//  CHECK-SAME:   %[[Y:[a-z0-9]+]]: tensor<64x16xf32>, %[[FIRST:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
//       CHECK:   %[[W:.*]] = tensor.extract_slice %[[Y]][%[[FIRST]], 0] [%[[N]], 16] [1, 1] : tensor<64x16xf32> to tensor<?x16xf32>
//       CHECK:   %[[A:.*]] = loop.pointwise (%{{.*}} = %[[N]], %{{.*}} = 16) into %[[W]] {
//       CHECK:   tensor.insert_slice %[[A]] into %[[Y]][%[[FIRST]], 0] [%[[N]], 16] [1, 1]
func.func @rows(%x: tensor<?x8xf32>, %y: tensor<64x16xf32>, %first: index, %n: index) -> tensor<64x16xf32> {
  %empty = tensor.empty(%n) : tensor<?x16xf32>
  %sum = loop.reduction add (%i = %n, %j = 16) over (%k = 8) into %empty {
    %a = loop.load %x[%i, %k] : tensor<?x8xf32>
    loop.yield %a : f32
  } : tensor<?x16xf32>
  %0 = loop.scatter (%i = %n, %j = 16) into %y {
    %a = loop.load %sum[%i, %j] : tensor<?x16xf32>
    loop.yield %a at [%i + %first, %j] : f32
  } : tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// -----

// What is made of no sum stays a scatter as long as it writes a tensor.
// CHECK-LABEL: func.func @moved(
//       CHECK:   loop.scatter
func.func @moved(%x: tensor<64x512xf32>, %y: tensor<64x768xf32>) -> tensor<64x768xf32> {
  %0 = loop.scatter (%i = 64, %j = 512) into %y {
    %a = loop.load %x[%i, %j] : tensor<64x512xf32>
    loop.yield %a at [%i, %j + 256] : f32
  } : tensor<64x768xf32>
  return %0 : tensor<64x768xf32>
}
