// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// The destination has something between the rows.
// CHECK-LABEL: func.func @destination
// CHECK: kernel.matmul (%{{.*}} = 7, %{{.*}} = 7, %{{.*}} = 16) over (%{{.*}} = 8)
func.func @destination(%x: memref<7x7x8xf32>, %w: memref<16x8xf32>, %y: memref<7x7x16xf32, strided<[160, 16, 1]>>) {
  loop.reduction add (%i = 7, %j = 7, %o = 16) over (%c = 8) into %y {
    %a = loop.load %x[%i, %j, %c] : memref<7x7x8xf32>
    %t = loop.load %w[%o, %c] : memref<16x8xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<7x7x16xf32, strided<[160, 16, 1]>>
  return
}

// -----

// The left factor has them the other way round.
// CHECK-LABEL: func.func @exchanged
// CHECK: kernel.matmul (%{{.*}} = 7, %{{.*}} = 7, %{{.*}} = 16) over (%{{.*}} = 8)
func.func @exchanged(%x: memref<7x7x8xf32>, %w: memref<16x8xf32>, %y: memref<7x7x16xf32>) {
  loop.reduction add (%i = 7, %j = 7, %o = 16) over (%c = 8) into %y {
    %a = loop.load %x[%j, %i, %c] : memref<7x7x8xf32>
    %t = loop.load %w[%o, %c] : memref<16x8xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<7x7x16xf32>
  return
}

// -----

// Each batch has a right factor of its own.
// CHECK-LABEL: func.func @batches
// CHECK: kernel.matmul (%{{.*}} = 3, %{{.*}} = 7, %{{.*}} = 16) over (%{{.*}} = 8)
func.func @batches(%x: memref<3x7x8xf32>, %w: memref<3x16x8xf32>, %y: memref<3x7x16xf32>) {
  loop.reduction add (%i = 3, %j = 7, %o = 16) over (%c = 8) into %y {
    %a = loop.load %x[%i, %j, %c] : memref<3x7x8xf32>
    %t = loop.load %w[%i, %o, %c] : memref<3x16x8xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<3x7x16xf32>
  return
}

// -----

// The epilogue counts with one of them.
// CHECK-LABEL: func.func @numbered
// CHECK: kernel.matmul (%{{.*}} = 7, %{{.*}} = 7, %{{.*}} = 16) over (%{{.*}} = 8)
func.func @numbered(%x: memref<7x7x8xf32>, %w: memref<16x8xf32>, %y: memref<7x7x16xf32>) {
  loop.group (%i = 7, %j = 7, %o = 16) into (%y as %out : memref<7x7x16xf32>) {
    %s = loop.reduction add over (%c = 8) {
      %a = loop.load %x[%i, %j, %c] : memref<7x7x8xf32>
      %t = loop.load %w[%o, %c] : memref<16x8xf32>
      %p = arith.mulf %a, %t : f32
      loop.yield %p : f32
    } : f32
    %n = arith.index_cast %j : index to i32
    %f = arith.sitofp %n : i32 to f32
    %r = arith.addf %s, %f : f32
    loop.in_parallel {
      loop.insert %r into %out at [%i, %j, %o] : f32 into memref<7x7x16xf32>
    }
  }
  return
}
