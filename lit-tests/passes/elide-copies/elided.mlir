// RUN: terrace-opt %s --elide-copies --split-input-file | FileCheck %s

// Rows 1 and 2 of %x, each element of which is read where it is written.

// CHECK-LABEL: func.func @rows
// CHECK-NOT: memref.alloc
// CHECK: %[[ROWS:.*]] = memref.reinterpret_cast
// CHECK: loop.pointwise (%{{.*}} = 2, %{{.*}} = 8) into %[[ROWS]]
// CHECK-NOT: memref.copy
func.func @rows(%x: memref<4x8xf32>, %y: memref<8xf32>) {
  %rows = memref.reinterpret_cast %x to offset: [8], sizes: [2, 8], strides: [8, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 8>>
  %alloc = memref.alloc() : memref<2x8xf32>
  loop.pointwise (%i = 2, %j = 8) into %alloc {
    %0 = loop.load %x[%i + 1, %j] : memref<4x8xf32>
    %1 = loop.load %y[%j] : memref<8xf32>
    %2 = arith.addf %0, %1 : f32
    loop.yield %2 : f32
  } : memref<2x8xf32>
  memref.copy %alloc, %rows {graph.disjoint} : memref<2x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 8>>
  memref.dealloc %alloc : memref<2x8xf32>
  return
}

// -----

// Columns: the same memory, transposed. Nothing in between has to do with it.

// CHECK-LABEL: func.func @transposed
// CHECK: %[[COLUMN:.*]] = memref.reinterpret_cast
// CHECK: loop.pointwise (%{{.*}} = 4) into %[[COLUMN]]
// CHECK: loop.pointwise (%{{.*}} = 3) into %arg1
// CHECK-NOT: memref.copy
func.func @transposed(%x: memref<4x8xf32>, %y: memref<3xf32>) {
  %column = memref.reinterpret_cast %x to offset: [2], sizes: [4], strides: [8] : memref<4x8xf32> to memref<4xf32, strided<[8], offset: 2>>
  %alloc = memref.alloc() : memref<4xf32>
  loop.pointwise (%i = 4) into %alloc {
    %0 = loop.load %x[%i, 2] : memref<4x8xf32>
    %1 = arith.mulf %0, %0 : f32
    loop.yield %1 : f32
  } : memref<4xf32>
  loop.pointwise (%i = 3) into %y {
    %0 = loop.load %y[%i] : memref<3xf32>
    loop.yield %0 : f32
  } : memref<3xf32>
  memref.copy %alloc, %column {graph.disjoint} : memref<4xf32> to memref<4xf32, strided<[8], offset: 2>>
  return
}

// -----

// A reduction that reads nothing of the target.

// CHECK-LABEL: func.func @sum
// CHECK: loop.reduction {{.*}} into %{{.*}} {
// CHECK: } : memref<4xf32, strided<[8], offset: 2>>
// CHECK-NOT: memref.copy
func.func @sum(%x: memref<4x8xf32>, %y: memref<4x5xf32>) {
  %column = memref.reinterpret_cast %x to offset: [2], sizes: [4], strides: [8] : memref<4x8xf32> to memref<4xf32, strided<[8], offset: 2>>
  %alloc = memref.alloc() : memref<4xf32>
  loop.reduction add (%i = 4) over (%k = 5) into %alloc {
    %0 = loop.load %y[%i, %k] : memref<4x5xf32>
    loop.yield %0 : f32
  } : memref<4xf32>
  memref.copy %alloc, %column {graph.disjoint} : memref<4xf32> to memref<4xf32, strided<[8], offset: 2>>
  return
}

// -----

// Each point reads a part of %x that is not written.

// CHECK-LABEL: func.func @halves
// CHECK: loop.pointwise (%{{.*}} = 4) into %{{.*}} {
// CHECK: } : memref<4xf32, strided<[1], offset: 4>>
// CHECK-NOT: memref.copy
func.func @halves(%x: memref<8xf32>) {
  %half = memref.reinterpret_cast %x to offset: [4], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %alloc = memref.alloc() : memref<4xf32>
  loop.pointwise (%i = 4) into %alloc {
    %0 = loop.load %x[-%i + 3] : memref<8xf32>
    loop.yield %0 : f32
  } : memref<4xf32>
  memref.copy %alloc, %half {graph.disjoint} : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  return
}

// -----

// A buffer that is copied, written and read on the way.

// CHECK-LABEL: func.func @written_rows
// CHECK-SAME: %[[X:[^:]*]]: memref<8x4xf32>, %{{[^:]*}}: memref<2xindex>, %[[RESULT:[^:]*]]: memref<8x4xf32>
// CHECK-NOT: memref.alloc
// CHECK: memref.copy %[[X]], %[[RESULT]]
// CHECK: loop.scatter ordered ({{.*}}) into %[[RESULT]]
// CHECK: loop.pointwise ({{.*}}) into %[[RESULT]]
// CHECK: loop.load %[[RESULT]]
// CHECK-NOT: memref.copy
func.func @written_rows(%x: memref<8x4xf32>, %at: memref<2xindex>, %result: memref<8x4xf32>) {
  %alloc = memref.alloc() : memref<8x4xf32>
  memref.copy %x, %alloc : memref<8x4xf32> to memref<8x4xf32>
  loop.scatter ordered (%i = 2, %j = 4) into %alloc {
    %0 = loop.load %at[%i] : memref<2xindex>
    %1 = loop.load %x[%i, %j] : memref<8x4xf32>
    loop.yield %1 at [%0, %j] : f32
  } : memref<8x4xf32>
  loop.pointwise (%i = 8, %j = 4) into %alloc {
    %0 = loop.load %alloc[%i, %j] : memref<8x4xf32>
    %1 = arith.addf %0, %0 : f32
    loop.yield %1 : f32
  } : memref<8x4xf32>
  memref.copy %alloc, %result {graph.disjoint} : memref<8x4xf32> to memref<8x4xf32>
  memref.dealloc %alloc : memref<8x4xf32>
  return
}

// -----

// The first operation writes over what it reads, and the second goes on there.

// CHECK-LABEL: func.func @twice
// CHECK-NOT: memref.alloc
// CHECK: loop.pointwise ({{.*}}) into %arg0
// CHECK: loop.scatter ({{.*}}) into %arg0
// CHECK-NOT: memref.copy
func.func @twice(%x: memref<8xf32>) {
  %alloc = memref.alloc() : memref<8xf32>
  loop.pointwise (%i = 8) into %alloc {
    %0 = loop.load %x[%i] : memref<8xf32>
    %1 = arith.addf %0, %0 : f32
    loop.yield %1 : f32
  } : memref<8xf32>
  loop.scatter (%i = 4) into %alloc {
    %0 = arith.constant 1.0 : f32
    loop.yield %0 at [%i + 4] : f32
  } : memref<8xf32>
  memref.copy %alloc, %x {graph.disjoint} : memref<8xf32> to memref<8xf32>
  return
}
