// What stands in a loop without rounds stores nothing: no operation comes of it. A loop that combines is one of size 0, a sum of nothing.

// RUN: terrace-opt %s --convert-affine-to-loop='distinct-arguments reassociate-floats' | FileCheck %s

// CHECK-LABEL: func.func @empty(
//       CHECK:   loop.pointwise (%{{.*}} = 4)
//   CHECK-NOT:   loop.group
//       CHECK:   return
func.func @empty(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.store %zero, %y[%i] : memref<4xf32>
    affine.for %j = 0 to 0 {
      %a = affine.load %x[%i, %j] : memref<4x8xf32>
      %s = affine.load %y[%i] : memref<4xf32>
      %t = arith.addf %s, %a : f32
      affine.store %t, %y[%i] : memref<4xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @outer(
//  CHECK-NEXT:   return
func.func @outer(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  affine.for %i = 8 to 4 {
    affine.for %j = 0 to 8 {
      %a = affine.load %x[%i, %j] : memref<4x8xf32>
      %s = affine.load %y[%i] : memref<4xf32>
      %t = arith.addf %s, %a : f32
      affine.store %t, %y[%i] : memref<4xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @inner_store(
//   CHECK-NOT:   loop.
//       CHECK:   return
func.func @inner_store(%x: memref<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 0 {
      affine.store %zero, %x[%i, %j] : memref<4x8xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @carried(
//       CHECK:   loop.group (%{{.*}} = 4)
//       CHECK:     loop.reduction add over (%{{.*}} = 0)
func.func @carried(%x: memref<4x8xf32>, %y: memref<4xf32>, %k: f32) {
  affine.for %i = 0 to 4 {
    %p = affine.for %j = 0 to 0 iter_args(%q = %k) -> f32 {
      %a = affine.load %x[%i, %j] : memref<4x8xf32>
      %r = arith.addf %q, %a : f32
      affine.yield %r : f32
    }
    affine.store %p, %y[%i] : memref<4xf32>
  }
  return
}

// There is no element at 0, and points of the inner loop alone would read it.
// CHECK-LABEL: func.func @around(
//   CHECK-NOT:   loop.
//       CHECK:   return
func.func @around(%y: memref<?xi32>, %n: index) {
  affine.for %i = 0 to 0 {
    %a = affine.load %y[%i] : memref<?xi32>
    affine.for %j = 0 to %n {
      %s = affine.load %y[%j] : memref<?xi32>
      %t = arith.maxsi %a, %s : i32
      affine.store %t, %y[%j] : memref<?xi32>
    }
  }
  return
}

// One of the loops in between goes round no time, and nothing tells the points of the others apart.
// CHECK-LABEL: func.func @between(
//   CHECK-NOT:   loop.
//       CHECK:   return
func.func @between(%x: memref<5xi64>, %y: memref<5xi64>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 0 step 3 {
      affine.for %k = 0 to 5 {
        %a = affine.load %x[%j] : memref<5xi64>
        %p = affine.for %l = 0 to 5 iter_args(%q = %a) -> (i64) {
          %r = arith.minsi %q, %a : i64
          affine.yield %r : i64
        }
        affine.store %p, %y[%i] : memref<5xi64>
      }
    }
  }
  return
}
