// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s
// RUN: terrace-opt %s --convert-loop-to-kernel=blocks=528 --split-input-file | FileCheck %s --check-prefix=BLOCKS

// A sum of products is a template; its factors are bodies. Rows that lie side by side with the dimension in front of them are one.
// CHECK-LABEL: func.func @linear
// CHECK-SAME: (%[[X:.*]]: memref<2x20x256xf32>, %[[W:.*]]: memref<50x256xf32>, %[[Y:.*]]: memref<2x20x50xf32>)
// CHECK: %[[YM:.*]] = memref.collapse_shape %[[Y]] {{\[}}[0, 1], [2]]
// CHECK: %[[XM:.*]] = memref.collapse_shape %[[X]] {{\[}}[0, 1], [2]]
// CHECK-NEXT: kernel.matmul (%[[M:.*]] = 40, %[[N:.*]] = 50) over (%[[K:.*]] = 256) into %[[YM]] lhs {
// CHECK-NEXT:   %[[A:.*]] = loop.load %[[XM]][%[[M]], %[[K]]] : memref<40x256xf32>
// CHECK-NEXT:   loop.yield %[[A]] : f32
// CHECK-NEXT: } rhs {
// CHECK-NEXT:   %[[A:.*]] = loop.load %[[W]][%[[N]], %[[K]]] : memref<50x256xf32>
// CHECK-NEXT:   loop.yield %[[A]] : f32
// CHECK-NEXT: } : memref<40x50xf32>
func.func @linear(%x: memref<2x20x256xf32>, %w: memref<50x256xf32>, %y: memref<2x20x50xf32>) {
  loop.reduction add (%p = 2, %i = 20, %j = 50) over (%k = 256) into %y {
    %a = loop.load %x[%p, %i, %k] : memref<2x20x256xf32>
    %b = loop.load %w[%j, %k] : memref<50x256xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : memref<2x20x50xf32>
  return
}

// -----

// What a factor is computed by is its body: a scale that was captured, a row's number, a mask.
// CHECK-LABEL: func.func @computed
// CHECK-SAME: (%[[X:.*]]: memref<20x64xi32>, %[[S:.*]]: memref<20xf32>, %[[W:.*]]: memref<64x50xf32>, %[[MASK:.*]]: memref<64xi1>, %{{.*}}: memref<20x50xf32>, %[[SCALE:.*]]: f32)
// CHECK: kernel.matmul (%[[M:.*]] = 20, %[[N:.*]] = 50) over (%[[K:.*]] = 64)
// CHECK-NEXT:   %[[A:.*]] = loop.load %[[X]][%[[M]], %[[K]]] : memref<20x64xi32>
// CHECK-NEXT:   %[[F:.*]] = arith.sitofp %[[A]] : i32 to f32
// CHECK-NEXT:   %[[R:.*]] = loop.load %[[S]][%[[M]]] : memref<20xf32>
// CHECK-NEXT:   %[[L:.*]] = arith.mulf %[[F]], %[[R]] : f32
// CHECK-NEXT:   loop.yield %[[L]] : f32
// CHECK-NEXT: } rhs {
// CHECK-NEXT:   %[[KEEP:.*]] = loop.load %[[MASK]][%[[K]]] : memref<64xi1>
// CHECK-NEXT:   %[[B:.*]] = loop.load %[[W]][%[[K]], %[[N]]] if %[[KEEP]] else %[[SCALE]] : memref<64x50xf32>, f32
// CHECK-NEXT:   loop.yield %[[B]] : f32
func.func @computed(%x: memref<20x64xi32>, %s: memref<20xf32>, %w: memref<64x50xf32>, %mask: memref<64xi1>, %y: memref<20x50xf32>, %scale: f32) {
  loop.reduction add (%i = 20, %j = 50) over (%k = 64) into %y {
    %keep = loop.load %mask[%k] : memref<64xi1>
    %a = loop.load %x[%i, %k] : memref<20x64xi32>
    %f = arith.sitofp %a : i32 to f32
    %r = loop.load %s[%i] : memref<20xf32>
    %b = loop.load %w[%k, %j] if %keep else %scale : memref<64x50xf32>, f32
    %l = arith.mulf %f, %r : f32
    %c = arith.mulf %b, %l : f32
    loop.yield %c : f32
  } : memref<20x50xf32>
  return
}

// -----

// Heads between rows and columns are a batch; the sum says where it goes.
// CHECK-LABEL: func.func @heads
// CHECK: kernel.matmul (%[[H:.*]] = 4, %[[M:.*]] = 16, %[[N:.*]] = 32) over (%[[K:.*]] = 8)
// CHECK: loop.load %{{.*}}[%[[H]], %[[M]], %[[K]]]
// CHECK: loop.load %{{.*}}[%[[H]], %[[K]], %[[N]]]
// CHECK: } epilogue(%[[SUM:.*]]: f32) {
// CHECK-NEXT: loop.yield %[[SUM]] at [%[[M]], %[[H]], %[[N]]] : f32
// CHECK-NEXT: } : memref<16x4x32xf32>
func.func @heads(%x: memref<4x16x8xf32>, %w: memref<4x8x32xf32>, %y: memref<16x4x32xf32>) {
  loop.reduction add (%i = 16, %h = 4, %j = 32) over (%k = 8) into %y {
    %a = loop.load %x[%h, %i, %k] : memref<4x16x8xf32>
    %b = loop.load %w[%h, %k, %j] : memref<4x8x32xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : memref<16x4x32xf32>
  return
}

// -----

// A factor that depends on rows and columns both is none; nor is a sum of anything else than a product.
// CHECK-LABEL: kernel.func @both.reduction_0
// CHECK-LABEL: kernel.func @shifted.reduction_0
// CHECK-NOT: kernel.matmul
func.func @both(%x: memref<16x32x8xf32>, %w: memref<8x32xf32>, %y: memref<16x32xf32>) {
  loop.reduction add (%i = 16, %j = 32) over (%k = 8) into %y {
    %a = loop.load %x[%i, %j, %k] : memref<16x32x8xf32>
    %b = loop.load %w[%k, %j] : memref<8x32xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : memref<16x32xf32>
  return
}
func.func @shifted(%x: memref<16x8xf32>, %w: memref<8x32xf32>, %y: memref<16x32xf32>) {
  loop.reduction add (%i = 16, %j = 32) over (%k = 8) into %y {
    %a = loop.load %x[%i, %k] : memref<16x8xf32>
    %b = loop.load %w[%k, %j] : memref<8x32xf32>
    %c = arith.mulf %a, %b : f32
    %d = arith.addf %c, %a : f32
    loop.yield %d : f32
  } : memref<16x32xf32>
  return
}

// -----

// One row, and integers, are reductions like any other: the lanes are the columns.
// CHECK-LABEL: kernel.func @row.reduction_0
// CHECK: scf.for %[[K:.*]] = %c0 to %c8 step %c1
// CHECK: memref.load
// CHECK: kernel.load %{{.*}}[%[[K]], %{{.*}} : 64]
// CHECK-LABEL: kernel.func @integers.reduction_0
// CHECK: scf.for %[[K:.*]] = %c0 to %c8 step %c1
// CHECK: memref.load
// CHECK: kernel.load %{{.*}}[%[[K]], %{{.*}} : 64]
func.func @row(%a: memref<8xf32>, %b: memref<8x64xf32>, %c: memref<64xf32>) {
  loop.reduction add (%j = 64) over (%k = 8) into %c {
    %x = loop.load %a[%k] : memref<8xf32>
    %y = loop.load %b[%k, %j] : memref<8x64xf32>
    %z = arith.mulf %x, %y : f32
    loop.yield %z : f32
  } : memref<64xf32>
  return
}
func.func @integers(%a: memref<16x8xi64>, %b: memref<8x64xi64>, %c: memref<16x64xi64>) {
  loop.reduction add (%i = 16, %j = 64) over (%k = 8) into %c {
    %x = loop.load %a[%i, %k] : memref<16x8xi64>
    %y = loop.load %b[%k, %j] : memref<8x64xi64>
    %z = arith.muli %x, %y : i64
    loop.yield %z : i64
  } : memref<16x64xi64>
  return
}

// -----

// Few rows do not pay for a pass over the weight: lanes are along its rows, where both factors lie so. One thread runs a
// point; of a GPU each block has a sum.
// CHECK-LABEL: func.func @few_rows(
// CHECK: kernel.matmul (%{{.*}} = 2, %{{.*}} = 50) over (%{{.*}} = 256)
// BLOCKS: kernel.func @few_rows.reduction_0
func.func @few_rows(%a: memref<2x256xf32>, %b: memref<50x256xf32>, %c: memref<2x50xf32>) {
  loop.reduction add (%i = 2, %j = 50) over (%k = 256) into %c {
    %x = loop.load %a[%i, %k] : memref<2x256xf32>
    %y = loop.load %b[%j, %k] : memref<50x256xf32>
    %z = arith.mulf %x, %y : f32
    loop.yield %z : f32
  } : memref<2x50xf32>
  return
}

// -----

// CHECK: kernel.func @few_rows_apart.reduction_0
// CHECK: kernel.func @few_rows_of_integers.reduction_0
// CHECK: kernel.func @few_short_rows.reduction_0
func.func @few_rows_apart(%a: memref<256x2xf32>, %b: memref<50x256xf32>, %c: memref<2x50xf32>) {
  loop.reduction add (%i = 2, %j = 50) over (%k = 256) into %c {
    %x = loop.load %a[%k, %i] : memref<256x2xf32>
    %y = loop.load %b[%j, %k] : memref<50x256xf32>
    %z = arith.mulf %x, %y : f32
    loop.yield %z : f32
  } : memref<2x50xf32>
  return
}
func.func @few_rows_of_integers(%a: memref<2x256xi32>, %b: memref<50x256xf32>, %c: memref<2x50xf32>) {
  loop.reduction add (%i = 2, %j = 50) over (%k = 256) into %c {
    %x = loop.load %a[%i, %k] : memref<2x256xi32>
    %f = arith.sitofp %x : i32 to f32
    %y = loop.load %b[%j, %k] : memref<50x256xf32>
    %z = arith.mulf %f, %y : f32
    loop.yield %z : f32
  } : memref<2x50xf32>
  return
}
func.func @few_short_rows(%a: memref<2x32xf32>, %b: memref<50x32xf32>, %c: memref<2x50xf32>) {
  loop.reduction add (%i = 2, %j = 50) over (%k = 32) into %c {
    %x = loop.load %a[%i, %k] : memref<2x32xf32>
    %y = loop.load %b[%j, %k] : memref<50x32xf32>
    %z = arith.mulf %x, %y : f32
    loop.yield %z : f32
  } : memref<2x50xf32>
  return
}

// -----

// Few columns do not pay for a pass over a left factor that is computed.
// CHECK: kernel.func @few_columns.reduction_0
func.func @few_columns(%a: memref<50x256xi32>, %b: memref<256x4xf32>, %c: memref<50x4xf32>) {
  loop.reduction add (%i = 50, %j = 4) over (%k = 256) into %c {
    %x = loop.load %a[%i, %k] : memref<50x256xi32>
    %f = arith.sitofp %x : i32 to f32
    %y = loop.load %b[%k, %j] : memref<256x4xf32>
    %z = arith.mulf %f, %y : f32
    loop.yield %z : f32
  } : memref<50x4xf32>
  return
}
