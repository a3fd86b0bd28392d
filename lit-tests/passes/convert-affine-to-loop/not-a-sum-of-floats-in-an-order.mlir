// Loops say in which order floats are added; a reduction does not. Integers have one sum, and reassoc gives the order away.

// RUN: terrace-opt %s --convert-affine-to-loop=distinct-arguments --verify-diagnostics -o - | FileCheck %s

// CHECK-LABEL: func.func @in_order(
// CHECK: affine.for
func.func @in_order(%x: memref<8xf32>, %y: memref<f32>) {
  // expected-remark @+1 {{stays: combines floats in an order: expects fastmath<reassoc>, or reassociate-floats}}
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xf32>
    %s = affine.load %y[] : memref<f32>
    %t = arith.addf %s, %a : f32
    affine.store %t, %y[] : memref<f32>
  }
  return
}

// CHECK-LABEL: func.func @carried(
// CHECK: affine.for
func.func @carried(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  %one = arith.constant 1.0 : f32
  // expected-remark @+1 {{stays: combines floats in an order: expects fastmath<reassoc>, or reassociate-floats}}
  affine.for %i = 0 to 4 {
    %p = affine.for %j = 0 to 8 iter_args(%acc = %one) -> f32 {
      %a = affine.load %x[%i, %j] : memref<4x8xf32>
      %m = arith.mulf %acc, %a : f32
      affine.yield %m : f32
    }
    affine.store %p, %y[%i] : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @given_away(
// CHECK-NOT: affine.for
// CHECK: loop.reduction add
func.func @given_away(%x: memref<8xf32>, %y: memref<f32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xf32>
    %s = affine.load %y[] : memref<f32>
    %t = arith.addf %s, %a fastmath<reassoc> : f32
    affine.store %t, %y[] : memref<f32>
  }
  return
}

// CHECK-LABEL: func.func @fast(
// CHECK: loop.reduction mul
func.func @fast(%x: memref<8xf32>, %y: memref<f32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xf32>
    %s = affine.load %y[] : memref<f32>
    %t = arith.mulf %s, %a fastmath<fast> : f32
    affine.store %t, %y[] : memref<f32>
  }
  return
}

// CHECK-LABEL: func.func @integers_and_maxima(
// CHECK: loop.reduction add
// CHECK: loop.reduction max
func.func @integers_and_maxima(%x: memref<8xi32>, %y: memref<i32>, %u: memref<8xf32>, %v: memref<f32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xi32>
    %s = affine.load %y[] : memref<i32>
    %t = arith.addi %s, %a : i32
    affine.store %t, %y[] : memref<i32>
  }
  affine.for %i = 0 to 8 {
    %a = affine.load %u[%i] : memref<8xf32>
    %s = affine.load %v[] : memref<f32>
    %t = arith.maximumf %s, %a : f32
    affine.store %t, %v[] : memref<f32>
  }
  return
}
