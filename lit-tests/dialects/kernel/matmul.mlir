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

// -----

// A convolution: several inner dimensions, and lines whose columns are one run.
// CHECK-LABEL: func.func @convolution
// CHECK: kernel.matmul (%[[B:.*]] = 1, %[[I:.*]] = 6, %[[M:.*]] = 4, %[[N:.*]] = 6) over (%[[K:.*]] = 2, %[[H:.*]] = 3, %[[W:.*]] = 3) into %{{.*}} lhs {
// CHECK: loop.load %{{.*}}[%[[M]], %[[K]], %[[H]], %[[W]]]
// CHECK: } rhs {
// CHECK: loop.load %{{.*}}[%[[B]], %[[K]], (%[[I]] + %[[H]]) * 8 + %[[N]] + %[[W]]]
// CHECK: } epilogue(%[[SUM:.*]]: f32) {
// CHECK: loop.yield %[[SUM]] at [%[[B]], %[[M]], %[[I]], %[[N]]] : f32
// CHECK: } tile [4, 16] pack [false, false] span 3 : memref<1x4x6x6xf32>
func.func @convolution(%x: memref<1x2x64xf32>, %w: memref<4x2x3x3xf32>, %y: memref<1x4x6x6xf32>) {
  kernel.matmul (%b = 1, %i = 6, %o = 4, %j = 6) over (%c = 2, %h = 3, %v = 3) into %y lhs {
    %a = loop.load %w[%o, %c, %h, %v] : memref<4x2x3x3xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %x[%b, %c, (%i + %h) * 8 + %j + %v] : memref<1x2x64xf32>
    loop.yield %a : f32
  } epilogue(%sum: f32) {
    loop.yield %sum at [%b, %o, %i, %j] : f32
  } tile [4, 16] pack [false, false] span 3 : memref<1x4x6x6xf32>
  return
}

// Elements may be words of two bf16; the sum is f32.
// CHECK-LABEL: func.func @words
// CHECK: kernel.matmul
// CHECK: loop.yield %{{.*}} : i32
// CHECK: epilogue(%{{.*}}: f32)
func.func @words(%x: memref<7x13xi32>, %w: memref<13x5xi32>, %y: memref<7x5xbf16>) {
  kernel.matmul (%m = 7, %n = 5) over (%k = 13) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<7x13xi32>
    loop.yield %a : i32
  } rhs {
    %b = loop.load %w[%k, %n] : memref<13x5xi32>
    loop.yield %b : i32
  } epilogue(%sum: f32) {
    %s = arith.truncf %sum : f32 to bf16
    loop.yield %s : bf16
  } : memref<7x5xbf16>
  return
}
