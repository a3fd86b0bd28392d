// Padding: the part's element where it is, else the number, in one operation.

// RUN: terrace-opt %s --pass-pipeline='builtin.module(func.func(convert-functional-to-loop))' --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @pad(
//       CHECK:   %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
//   CHECK-NOT:   loop.scatter
//       CHECK:   %[[P:.*]] = loop.pointwise (%[[I:.*]] = 2, %[[J:.*]] = 6)
//       CHECK:     %[[FROM:.*]] = arith.subi %[[J]], %c1
//       CHECK:     %[[INSIDE:.*]] = arith.cmpi ult, %[[FROM]], %c3
//       CHECK:     loop.load %arg0[%[[I]], %[[J]] - 1] if %[[INSIDE]] else %[[ZERO]]
func.func @pad(%x: tensor<2x3xf32>) -> tensor<2x6xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2x6xf32>
  %0 = functional.slice_scatter %zeros, %x start [1] end [4] step [1] {dim = 1 : i64} : tensor<2x6xf32>, tensor<2x3xf32>
  return %0 : tensor<2x6xf32>
}

// -----

// What a reduction makes goes to its place itself.
// CHECK-LABEL: func.func @sum(
//       CHECK:   loop.reduction add
//       CHECK:   loop.scatter
func.func @sum(%x: tensor<2x3x4xf32>) -> tensor<2x6xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2x6xf32>
  %s = functional.sum %x {dim = array<i64: 2>} : tensor<2x3x4xf32>
  %0 = functional.slice_scatter %zeros, %s start [1] end [4] step [1] {dim = 1 : i64} : tensor<2x6xf32>, tensor<2x3xf32>
  return %0 : tensor<2x6xf32>
}

// -----

// Every second place, elements of 16 bits, a part in the middle of elements.
// CHECK-LABEL: func.func @others(
//       CHECK:   loop.scatter
//       CHECK:   loop.scatter
//       CHECK:   loop.scatter
func.func @others(%x: tensor<2x3xf32>, %h: tensor<2x3xf16>, %y: tensor<2x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xf16>, tensor<2x6xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<2x6xf32>
  %halves = arith.constant dense<0.0> : tensor<2x6xf16>
  %0 = functional.slice_scatter %zeros, %x start [0] end [6] step [2] {dim = 1 : i64} : tensor<2x6xf32>, tensor<2x3xf32>
  %1 = functional.slice_scatter %halves, %h start [1] end [4] step [1] {dim = 1 : i64} : tensor<2x6xf16>, tensor<2x3xf16>
  %2 = functional.slice_scatter %y, %x start [1] end [4] step [1] {dim = 1 : i64} : tensor<2x6xf32>, tensor<2x3xf32>
  return %0, %1, %2 : tensor<2x6xf32>, tensor<2x6xf16>, tensor<2x6xf32>
}
