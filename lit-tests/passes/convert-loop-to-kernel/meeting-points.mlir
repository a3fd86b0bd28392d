// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// Points that may meet run in one grid point, in order; along %j they never do, so that it has the lanes.
// CHECK-LABEL: kernel.func @rows.scatter_0
// CHECK-SAME: grid()
// CHECK: scf.for %[[I:.*]] = %c0 to %c100
// CHECK: %[[ROW:.*]] = arith.index_cast
// CHECK: %[[NEW:.*]] = kernel.load %arg1[%[[I]], %c0 : 64]
// CHECK: %[[OLD:.*]] = kernel.load %arg2[%[[ROW]], %c0 : 64]
// CHECK: %[[SUM:.*]] = arith.addf %[[OLD]], %[[NEW]] : tensor<64xf32>
// CHECK: kernel.store %[[SUM]], %arg2[%[[ROW]], %c0 : 64]
func.func @rows(%at: memref<100xi64>, %x: memref<100x64xf32>, %y: memref<10x64xf32>) {
  loop.scatter add (%i = 100, %j = 64) into %y {
    %p = loop.load %at[%i] : memref<100xi64>
    %row = arith.index_cast %p : i64 to index
    %a = loop.load %x[%i, %j] : memref<100x64xf32>
    loop.yield %a at [%row, %j] : f32
  } : memref<10x64xf32>
  return
}

// -----

// No schedule changes which point is the last.
// CHECK-LABEL: kernel.func @last.scatter_0
// CHECK-SAME: grid()
// CHECK: scf.for %[[I:.*]] = %c0 to %c4 step
// CHECK: scf.for %[[J:.*]] = %c0 to %c1000 step %c1
// CHECK: memref.load %arg0[%[[I]], %[[J]]]
// CHECK: memref.store
func.func @last(%at: memref<4x1000xi64>, %x: memref<4x1000xf32>, %y: memref<10xf32>) {
  loop.scatter ordered (%i = 4, %j = 1000) into %y {
    %p = loop.load %at[%i, %j] : memref<4x1000xi64>
    %place = arith.index_cast %p : i64 to index
    %a = loop.load %x[%i, %j] : memref<4x1000xf32>
    loop.yield %a at [%place] : f32
  } order [1, 0] tile [1, 8] : memref<10xf32>
  return
}

// -----

// What is the same everywhere is written in any order.
// CHECK-LABEL: kernel.func @alike.scatter_0
// CHECK: kernel.scatter %{{.*}} : tensor<64xf32>
func.func @alike(%at: memref<1000xi64>, %y: memref<10xf32>, %v: f32) {
  loop.scatter (%i = 1000) into %y {
    %p = loop.load %at[%i] : memref<1000xi64>
    %place = arith.index_cast %p : i64 to index
    loop.yield %v at [%place] : f32
  } : memref<10xf32>
  return
}

// -----

// Two indices in one expression: neither tells points apart.
// CHECK-LABEL: kernel.func @diagonals.scatter_0
// CHECK-SAME: grid()
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[OLD:.*]] = memref.load %arg1
// CHECK: arith.addf %[[OLD]]
// CHECK: memref.store
func.func @diagonals(%x: memref<100x100xf32>, %y: memref<199xf32>) {
  loop.scatter add (%i = 100, %j = 100) into %y {
    %a = loop.load %x[%i, %j] : memref<100x100xf32>
    loop.yield %a at [%i + %j] : f32
  } : memref<199xf32>
  return
}
