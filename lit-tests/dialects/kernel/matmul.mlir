// RUN: terrace-opt %s | terrace-opt | FileCheck %s
// RUN: terrace-opt %s --mlir-print-op-generic | terrace-opt | FileCheck %s

// The bodies share the names of the indices.
// CHECK-LABEL: func.func @plain
// CHECK-SAME: (%[[X:.*]]: memref<7x13xf32>, %[[W:.*]]: memref<13x5xf32>, %[[Y:.*]]: memref<7x5xf32>)
// CHECK-NEXT: kernel.matmul (%[[M:.*]] = 7, %[[N:.*]] = 5) over (%[[K:.*]] = 13) into %[[Y]] lhs {
// CHECK-NEXT:   %[[A:.*]] = loop.load %[[X]][%[[M]], %[[K]]] : memref<7x13xf32>
// CHECK-NEXT:   loop.yield %[[A]] : f32
// CHECK-NEXT: } rhs {
// CHECK-NEXT:   %[[B:.*]] = loop.load %[[W]][%[[K]], %[[N]]] : memref<13x5xf32>
// CHECK-NEXT:   loop.yield %[[B]] : f32
// CHECK-NEXT: } : memref<7x5xf32>
func.func @plain(%x: memref<7x13xf32>, %w: memref<13x5xf32>, %y: memref<7x5xf32>) {
  kernel.matmul (%i = 7, %j = 5) over (%l = 13) into %y lhs {
    %a = loop.load %x[%i, %l] : memref<7x13xf32>
    loop.yield %a : f32
  } rhs {
    %b = loop.load %w[%l, %j] : memref<13x5xf32>
    loop.yield %b : f32
  } : memref<7x5xf32>
  return
}

// Batches, an epilogue that reads the destination where it stores, a schedule; names that are taken.
// CHECK-LABEL: func.func @all
// CHECK: scf.for
// CHECK: kernel.matmul (%[[B:.*]] = 2, %[[C:.*]] = 3, %[[M:.*]] = 7, %[[N:.*]] = 5) over (%[[K:.*]] = 13) into %{{.*}} lhs {
// CHECK: loop.load %{{.*}}[%[[B]], %[[C]], %[[M]], %[[K]]]
// CHECK: } rhs {
// CHECK: loop.load %{{.*}}[%[[N]], %[[K]]]
// CHECK: } epilogue(%[[SUM:.*]]: f64) {
// CHECK: %[[OLD:.*]] = loop.load %{{.*}}[%[[M]], %[[B]] * 3 + %[[C]], %[[N]]] : memref<7x6x5xf32>
// CHECK: %[[S:.*]] = arith.truncf %[[SUM]] : f64 to f32
// CHECK: loop.yield %{{.*}} at [%[[M]], %[[B]] * 3 + %[[C]], %[[N]]] : f32
// CHECK: } tile [6, 8] pack [true, false] {note} : memref<7x6x5xf32>
func.func @all(%x: memref<2x3x7x13xf64>, %w: memref<5x13xf64>, %y: memref<7x6x5xf32>, %from: index, %to: index) {
  scf.for %m = %from to %to step %to {
    kernel.matmul (%b = 2, %c = 3, %i = 7, %j = 5) over (%k = 13) into %y lhs {
      %a = loop.load %x[%b, %c, %i, %k] : memref<2x3x7x13xf64>
      loop.yield %a : f64
    } rhs {
      %a = loop.load %w[%j, %k] : memref<5x13xf64>
      loop.yield %a : f64
    } epilogue(%sum: f64) {
      %old = loop.load %y[%i, %b * 3 + %c, %j] : memref<7x6x5xf32>
      %s = arith.truncf %sum : f64 to f32
      %t = arith.addf %s, %old : f32
      loop.yield %t at [%i, %b * 3 + %c, %j] : f32
    } tile [6, 8] pack [true, false] {note} : memref<7x6x5xf32>
  }
  return
}
