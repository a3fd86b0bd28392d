// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse --split-input-file | FileCheck %s

// Elements of the same width are the same bits.
// CHECK-LABEL: func.func @same
// CHECK: %[[A:.*]] = loop.load %{{.*}}[%{{.*}}] : tensor<4xf32>
// CHECK: %[[B:.*]] = arith.bitcast %[[A]] : f32 to i32
// CHECK: loop.yield %[[B]] : i32
func.func @same(%x: tensor<4xf32>) -> tensor<4xi32> {
  %0 = functional.view.dtype %x {dtype = i32} : tensor<4xf32>
  return %0 : tensor<4xi32>
}

// -----

// Shorter elements are pieces of a word, the lowest first.
// CHECK-LABEL: func.func @shorter
// CHECK: loop.pointwise (%[[I:.*]] = 8)
// CHECK: %[[A:.*]] = loop.load %{{.*}}[%[[I]] floordiv 4] : tensor<2xi32>
// CHECK: %[[K:.*]] = arith.remsi %[[I]], %c4
// CHECK: %[[PIECE:.*]] = arith.shrui %[[A]], %{{.*}} : i32
// CHECK: arith.trunci %[[PIECE]] : i32 to i8
func.func @shorter(%x: tensor<2xi32>) -> tensor<8xi8> {
  %0 = functional.view.dtype %x {dtype = i8} : tensor<2xi32>
  return %0 : tensor<8xi8>
}

// -----

// Longer ones are put together.
// CHECK-LABEL: func.func @longer
// CHECK: loop.pointwise (%[[I:.*]] = 2)
// CHECK: loop.load %{{.*}}[%[[I]] * 2] : tensor<4xf32>
// CHECK: loop.load %{{.*}}[%[[I]] * 2 + 1] : tensor<4xf32>
// CHECK: complex.create
func.func @longer(%x: tensor<4xf32>) -> tensor<2xcomplex<f32>> {
  %0 = functional.view.dtype %x {dtype = complex<f32>} : tensor<4xf32>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

// Of complex numbers a part.
// CHECK-LABEL: func.func @parts
// CHECK: loop.pointwise (%[[I:.*]] = 4)
// CHECK: %[[Z:.*]] = loop.load %{{.*}}[%[[I]] floordiv 2] : tensor<2xcomplex<f64>>
// CHECK: arith.select
func.func @parts(%x: tensor<2xcomplex<f64>>) -> tensor<4xf64> {
  %0 = functional.view.dtype %x {dtype = f64} : tensor<2xcomplex<f64>>
  return %0 : tensor<4xf64>
}
