// RUN: terrace-opt %s --loop-collapse --split-input-file | FileCheck %s

// Rows and columns of images are neighbours in all that is read and written; the bias is one of a channel.
// CHECK-LABEL: func.func @bias(
//  CHECK-SAME: %[[X:.*]]: memref<8x64x7x7xf32>, %[[B:.*]]: memref<64xf32>, %[[Y:.*]]: memref<8x64x7x7xf32>)
//   CHECK-DAG:   %[[X2:.*]] = memref.collapse_shape %[[X]] {{\[\[}}0], [1], [2, 3]] : memref<8x64x7x7xf32> into memref<8x64x49xf32>
//   CHECK-DAG:   %[[Y2:.*]] = memref.collapse_shape %[[Y]] {{\[\[}}0], [1], [2, 3]]
//       CHECK:   loop.pointwise (%[[N:.*]] = 8, %[[C:.*]] = 64, %[[K:.*]] = 49) into %[[Y2]] {
//       CHECK:     loop.load %[[X2]][%[[N]], %[[C]], %[[K]]] : memref<8x64x49xf32>
//       CHECK:     loop.load %[[B]][%[[C]]] : memref<64xf32>
func.func @bias(%x: memref<8x64x7x7xf32>, %b: memref<64xf32>, %y: memref<8x64x7x7xf32>) {
  loop.pointwise (%n = 8, %c = 64, %h = 7, %w = 7) into %y {
    %0 = loop.load %x[%n, %c, %h, %w] : memref<8x64x7x7xf32>
    %1 = loop.load %b[%c] : memref<64xf32>
    %2 = arith.addf %0, %1 : f32
    loop.yield %2 : f32
  } : memref<8x64x7x7xf32>
  return
}

// -----

// What is read and written in place stays one buffer; all four dimensions are one.
// CHECK-LABEL: func.func @in_place(
//       CHECK:   %[[X:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<4x6xf32> into memref<24xf32>
//  CHECK-NEXT:   loop.pointwise (%[[K:.*]] = 24) into %[[X]] {
//  CHECK-NEXT:     loop.load %[[X]][%[[K]]]
func.func @in_place(%x: memref<4x6xf32>) {
  loop.pointwise (%i = 4, %j = 6) into %x {
    %0 = loop.load %x[%i, %j] : memref<4x6xf32>
    loop.yield %0 : f32
  } : memref<4x6xf32>
  return
}

// -----

// The inner domain of a member of a group, from an index that has an offset.
// CHECK-LABEL: func.func @member(
//       CHECK:   %[[X:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]]
//       CHECK:   loop.group (%[[C:.*]] = 16)
//       CHECK:     loop.reduction add over (%[[K:.*]] = 32) {
//       CHECK:       loop.load %[[X]][%[[K]] + 32, %[[C]]] : memref<64x16xf32>
func.func @member(%x: memref<8x8x16xf32>, %y: memref<16xf32>) {
  loop.group (%c = 16) into (%y as %p : memref<16xf32>) {
    %s = loop.reduction add over (%i = 4, %j = 8) {
      %a = loop.load %x[%i + 4, %j, %c] : memref<8x8x16xf32>
      loop.yield %a : f32
    } : f32
    loop.in_parallel {
      loop.insert %s into %p at [%c] : f32 into memref<16xf32>
    }
  }
  return
}

// -----

// Rows of a scan behind it.
// CHECK-LABEL: func.func @scan(
//       CHECK:   loop.scan add (%[[I:.*]] = 24, %[[J:.*]] = 8) along %[[J]]
func.func @scan(%x: memref<4x6x8xf32>, %y: memref<4x6x8xf32>) {
  loop.scan add (%i = 4, %j = 6, %k = 8) along %k into %y {
    %a = loop.load %x[%i, %j, %k] : memref<4x6x8xf32>
    loop.yield %a : f32
  } : memref<4x6x8xf32>
  return
}

// -----

// An index behind the two keeps the range that it had: it is not taken for the one of a dimension of size 1.
// CHECK-LABEL: func.func @behind(
//       CHECK:   loop.reduction add (%{{.*}} = 2, %[[I:.*]] = 3) over (%{{.*}} = 1, %[[K:.*]] = 3)
//       CHECK:     loop.load %{{.*}}[0, %[[I]] + %[[K]]]
func.func @behind(%x: memref<1x8xi32>, %y: memref<1x2x3xi32>) {
  loop.reduction add (%n = 1, %c = 2, %i = 3) over (%d = 1, %k = 3) into %y {
    %0 = loop.load %x[%n, %i + %k] : memref<1x8xi32>
    %1 = arith.index_cast %k : index to i32
    %2 = arith.muli %0, %1 : i32
    loop.yield %2 : i32
  } : memref<1x2x3xi32>
  return
}

// -----

// What no term moves is read once for all of them: there a quotient does not matter, but only where lanes are too few otherwise.
// CHECK-LABEL: func.func @short_runs(
//       CHECK:   loop.reduction add (%[[K:.*]] = 32) over (%[[R:.*]] = 100)
//       CHECK:     loop.load %{{.*}}[%[[R]], %[[K]]]
//       CHECK:     loop.load %{{.*}}[%[[K]] floordiv 4]
func.func @short_runs(%x: memref<100x32xf32>, %mean: memref<8xf32>, %y: memref<8x4xf32>) {
  loop.reduction add (%g = 8, %c = 4) over (%r = 100) into %y {
    %a = loop.load %x[%r, %g * 4 + %c] : memref<100x32xf32>
    %m = loop.load %mean[%g] : memref<8xf32>
    %d = arith.subf %a, %m : f32
    loop.yield %d : f32
  } : memref<8x4xf32>
  return
}

// -----

// CHECK-LABEL: func.func @not_of_long_runs(
//       CHECK:   loop.reduction add (%{{.*}} = 8, %{{.*}} = 16) over (%{{.*}} = 100)
func.func @not_of_long_runs(%x: memref<100x128xf32>, %mean: memref<8xf32>, %y: memref<8x16xf32>) {
  loop.reduction add (%g = 8, %c = 16) over (%r = 100) into %y {
    %a = loop.load %x[%r, %g * 16 + %c] : memref<100x128xf32>
    %m = loop.load %mean[%g] : memref<8xf32>
    %d = arith.subf %a, %m : f32
    loop.yield %d : f32
  } : memref<8x16xf32>
  return
}
