// A loop without rounds is one of size 0: sums of nothing, a scatter that writes nothing. The verifier takes what comes out.

// RUN: terrace-opt %s --convert-affine-to-loop='distinct-arguments reassociate-floats' | FileCheck %s

// CHECK-LABEL: func.func @empty(
//       CHECK:   loop.pointwise (%{{.*}} = 4)
//       CHECK:   loop.group (%{{.*}} = 4)
//       CHECK:     loop.reduction add over (%{{.*}} = 0)
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

// An outer one stays, and holds a group that never runs.
// CHECK-LABEL: func.func @outer(
//       CHECK:   affine.for %{{.*}} = 8 to 4 {
//       CHECK:     loop.group ()
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
//       CHECK:   loop.scatter (%{{.*}} = 4, %{{.*}} = 0)
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
