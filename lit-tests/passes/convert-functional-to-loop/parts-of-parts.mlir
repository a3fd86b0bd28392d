// A part of a part that is written, and put back where it was taken from, is written where it lies.

// RUN: terrace-opt %s --pass-pipeline='builtin.module(func.func(convert-functional-to-loop))' --split-input-file | FileCheck %s

// x[2:6, ::2] = y
// CHECK-LABEL: func.func @assigned(
//   CHECK-NOT:   loop.pointwise
//       CHECK:   %[[NEW:.*]] = loop.scatter (%[[I:.*]] = 4, %[[J:.*]] = 4) into %arg0
//       CHECK:     %[[V:.*]] = loop.load %arg1[%[[I]], %[[J]]]
//       CHECK:     loop.yield %[[V]] at [%[[I]] + 2, %[[J]] * 2]
//   CHECK-NOT:   loop.
//       CHECK:   return %[[NEW]]
func.func @assigned(%x: tensor<8x8xf32>, %y: tensor<4x4xf32>) -> tensor<8x8xf32> {
  %s = functional.slice %x start [2] end [6] step [1] {dim = 0 : i64} : tensor<8x8xf32>
  %t = functional.slice_scatter %s, %y start [0] end [8] step [2] {dim = 1 : i64} : tensor<4x8xf32>, tensor<4x4xf32>
  %z = functional.slice_scatter %x, %t start [2] end [6] step [1] {dim = 0 : i64} : tensor<8x8xf32>, tensor<4x8xf32>
  return %z : tensor<8x8xf32>
}

// -----

// x[3, 1:5, 2] = y
// CHECK-LABEL: func.func @three_deep(
//   CHECK-NOT:   loop.pointwise
//       CHECK:   loop.scatter (%[[I:.*]] = 4) into %arg0
//       CHECK:     loop.yield %{{.*}} at [3, %[[I]] + 1, 2]
//   CHECK-NOT:   loop.scatter
func.func @three_deep(%x: tensor<4x8x8xf32>, %y: tensor<4xf32>) -> tensor<4x8x8xf32> {
  %r = functional.select %x index [3] {dim = 0 : i64} : tensor<4x8x8xf32>
  %s = functional.slice %r start [1] end [5] step [1] {dim = 0 : i64} : tensor<8x8xf32>
  %a = functional.select_scatter %s, %y index [2] {dim = 1 : i64} : tensor<4x8xf32>, tensor<4xf32>
  %b = functional.slice_scatter %r, %a start [1] end [5] step [1] {dim = 0 : i64} : tensor<8x8xf32>, tensor<4x8xf32>
  %c = functional.select_scatter %x, %b index [3] {dim = 0 : i64} : tensor<4x8x8xf32>, tensor<8x8xf32>
  return %c : tensor<4x8x8xf32>
}

// -----

// Not what goes back to another place, nor into another tensor, nor what somebody else reads, too.
// CHECK-LABEL: func.func @elsewhere(
//       CHECK:   loop.scatter (%{{.*}} = 4, %{{.*}} = 4)
//       CHECK:   loop.scatter (%{{.*}} = 4, %{{.*}} = 8) into %arg0
func.func @elsewhere(%x: tensor<8x8xf32>, %y: tensor<4x4xf32>) -> tensor<8x8xf32> {
  %s = functional.slice %x start [2] end [6] step [1] {dim = 0 : i64} : tensor<8x8xf32>
  %t = functional.slice_scatter %s, %y start [0] end [8] step [2] {dim = 1 : i64} : tensor<4x8xf32>, tensor<4x4xf32>
  %z = functional.slice_scatter %x, %t start [3] end [7] step [1] {dim = 0 : i64} : tensor<8x8xf32>, tensor<4x8xf32>
  return %z : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @another_tensor(
//       CHECK:   loop.scatter (%{{.*}} = 4, %{{.*}} = 4)
//       CHECK:   loop.scatter (%{{.*}} = 4, %{{.*}} = 8) into %arg1
func.func @another_tensor(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %y: tensor<4x4xf32>) -> tensor<8x8xf32> {
  %s = functional.slice %x start [2] end [6] step [1] {dim = 0 : i64} : tensor<8x8xf32>
  %t = functional.slice_scatter %s, %y start [0] end [8] step [2] {dim = 1 : i64} : tensor<4x8xf32>, tensor<4x4xf32>
  %z = functional.slice_scatter %w, %t start [2] end [6] step [1] {dim = 0 : i64} : tensor<8x8xf32>, tensor<4x8xf32>
  return %z : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @read_twice(
//       CHECK:   %[[T:.*]] = loop.scatter (%{{.*}} = 4, %{{.*}} = 4)
//       CHECK:   %[[Z:.*]] = loop.scatter (%{{.*}} = 4, %{{.*}} = 8) into %arg0
//       CHECK:   return %[[T]], %[[Z]]
func.func @read_twice(%x: tensor<8x8xf32>, %y: tensor<4x4xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>) {
  %s = functional.slice %x start [2] end [6] step [1] {dim = 0 : i64} : tensor<8x8xf32>
  %t = functional.slice_scatter %s, %y start [0] end [8] step [2] {dim = 1 : i64} : tensor<4x8xf32>, tensor<4x4xf32>
  %z = functional.slice_scatter %x, %t start [2] end [6] step [1] {dim = 0 : i64} : tensor<8x8xf32>, tensor<4x8xf32>
  return %t, %z : tensor<4x8xf32>, tensor<8x8xf32>
}

// The same where the other one stands in front of what puts it back.
// CHECK-LABEL: func.func @read_before(
//       CHECK:   %[[T:.*]] = loop.scatter (%{{.*}} = 4, %{{.*}} = 4)
//       CHECK:   loop.pointwise
//       CHECK:     loop.load %[[T]]
//       CHECK:   loop.scatter (%{{.*}} = 4, %{{.*}} = 8) into %arg0
func.func @read_before(%x: tensor<8x8xf32>, %y: tensor<4x4xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>) {
  %s = functional.slice %x start [2] end [6] step [1] {dim = 0 : i64} : tensor<8x8xf32>
  %t = functional.slice_scatter %s, %y start [0] end [8] step [2] {dim = 1 : i64} : tensor<4x8xf32>, tensor<4x4xf32>
  %n = functional.neg %t : tensor<4x8xf32>
  %z = functional.slice_scatter %x, %t start [2] end [6] step [1] {dim = 0 : i64} : tensor<8x8xf32>, tensor<4x8xf32>
  return %n, %z : tensor<4x8xf32>, tensor<8x8xf32>
}
