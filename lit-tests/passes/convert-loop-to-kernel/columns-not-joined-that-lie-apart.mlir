// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// The destination has something between the columns.
// CHECK-LABEL: func.func @destination
// CHECK-NOT: memref.collapse_shape
// CHECK: kernel.matmul (%{{.*}} = 7, %{{.*}} = 16, %{{.*}} = 7) over (%{{.*}} = 8)
func.func @destination(%x: memref<8x7x7xf32>, %w: memref<16x8xf32>, %y: memref<16x7x7xf32, strided<[98, 14, 1]>>) {
  loop.reduction add (%o = 16, %i = 7, %j = 7) over (%c = 8) into %y {
    %a = loop.load %x[%c, %i, %j] : memref<8x7x7xf32>
    %t = loop.load %w[%o, %c] : memref<16x8xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<16x7x7xf32, strided<[98, 14, 1]>>
  return
}

// -----

// The factor does not have all of the second one's indices.
// CHECK-LABEL: func.func @part
// CHECK-NOT: memref.collapse_shape
// CHECK: kernel.matmul (%{{.*}} = 7, %{{.*}} = 16, %{{.*}} = 7) over (%{{.*}} = 8)
func.func @part(%x: memref<8x7x9xf32>, %w: memref<16x8xf32>, %y: memref<16x7x7xf32>) {
  loop.reduction add (%o = 16, %i = 7, %j = 7) over (%c = 8) into %y {
    %a = loop.load %x[%c, %i, %j] : memref<8x7x9xf32>
    %t = loop.load %w[%o, %c] : memref<16x8xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<16x7x7xf32>
  return
}

// -----

// The factor has them the other way round.
// CHECK-LABEL: func.func @exchanged
// CHECK-NOT: memref.collapse_shape
// CHECK: kernel.matmul (%{{.*}} = 7, %{{.*}} = 16, %{{.*}} = 7) over (%{{.*}} = 8)
func.func @exchanged(%x: memref<8x7x7xf32>, %w: memref<16x8xf32>, %y: memref<16x7x7xf32>) {
  loop.reduction add (%o = 16, %i = 7, %j = 7) over (%c = 8) into %y {
    %a = loop.load %x[%c, %j, %i] : memref<8x7x7xf32>
    %t = loop.load %w[%o, %c] : memref<16x8xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<16x7x7xf32>
  return
}

// -----

// What is done with the sum uses one of the indices alone.
// CHECK-LABEL: func.func @epilogue
// CHECK-NOT: memref.collapse_shape %arg
// CHECK: kernel.matmul (%{{.*}} = 7, %{{.*}} = 16, %{{.*}} = 7) over (%{{.*}} = 8)
func.func @epilogue(%x: memref<8x7x7xf32>, %w: memref<16x8xf32>, %bias: memref<7xf32>, %y: memref<16x7x7xf32>) {
  loop.group (%o = 16, %i = 7, %j = 7) into (%y as %out : memref<16x7x7xf32>) {
    %sum = loop.reduction add () over (%c = 8) {
      %a = loop.load %x[%c, %i, %j] : memref<8x7x7xf32>
      %t = loop.load %w[%o, %c] : memref<16x8xf32>
      %p = arith.mulf %a, %t : f32
      loop.yield %p : f32
    } : f32
    %b = loop.load %bias[%j] : memref<7xf32>
    %r = arith.addf %sum, %b : f32
    loop.in_parallel {
      loop.insert %r into %out at [%o, %i, %j] : f32 into memref<16x7x7xf32>
    }
  }
  return
}
