// RUN: terrace-opt %s --functional-grow-concatenations | FileCheck %s

// A dense block: each layer reads what all before it made. All of it is one tensor, into which each part is written once.
// CHECK-LABEL: func.func @block(
//  CHECK-SAME:   %[[A:.*]]: tensor<2x3x4xf32>, %[[B:.*]]: tensor<2x1x4xf32>
//       CHECK:   %[[EMPTY:.*]] = tensor.empty() : tensor<2x22x4xf32>
//       CHECK:   %[[S:.*]] = functional.slice_scatter %[[EMPTY]], %[[A]] start [0] end [3] step [1] {dim = 1 : i64}
//       CHECK:   %[[T:.*]] = functional.slice_scatter %[[S]], %[[B]] start [3] end [4] step [1] {dim = 1 : i64}
//       CHECK:   %[[FIRST:.*]] = functional.slice %[[T]] start [0] end [4] step [1] {dim = 1 : i64}
//       CHECK:   %[[C:.*]] = functional.sin %[[FIRST]]
//       CHECK:   %[[U:.*]] = functional.slice_scatter %[[T]], %[[C]] start [4] end [8] step [1] {dim = 1 : i64}
//       CHECK:   %[[SECOND:.*]] = functional.slice %[[U]] start [0] end [8] step [1] {dim = 1 : i64}
//       CHECK:   %[[D:.*]] = functional.sin %[[SECOND]]
//       CHECK:   %[[V:.*]] = functional.slice_scatter %[[U]], %[[D]] start [8] end [16] step [1] {dim = 1 : i64}
//       CHECK:   %[[THIRD:.*]] = functional.slice %[[V]] start [0] end [16] step [1] {dim = 1 : i64}
//       CHECK:   %[[E:.*]] = functional.neg %[[THIRD]]
//       CHECK:   %[[PART:.*]] = functional.slice %[[E]]
//       CHECK:   %[[ALL:.*]] = functional.slice_scatter %[[V]], %[[PART]] start [16] end [22] step [1] {dim = 1 : i64}
//       CHECK:   return %[[ALL]]
func.func @block(%a: tensor<2x3x4xf32>, %b: tensor<2x1x4xf32>) -> tensor<2x22x4xf32> {
  %1 = functional.cat %a, %b {dim = 1 : i64} : tensor<2x3x4xf32>, tensor<2x1x4xf32>
  %c = functional.sin %1 : tensor<2x4x4xf32>
  %2 = functional.cat %a, %b, %c {dim = -2 : i64} : tensor<2x3x4xf32>, tensor<2x1x4xf32>, tensor<2x4x4xf32>
  %d = functional.sin %2 : tensor<2x8x4xf32>
  %3 = functional.cat %a, %b, %c, %d {dim = 1 : i64} : tensor<2x3x4xf32>, tensor<2x1x4xf32>, tensor<2x4x4xf32>, tensor<2x8x4xf32>
  %e = functional.neg %3 : tensor<2x16x4xf32>
  %f = functional.slice %e start [0] end [6] step [1] {dim = 1 : i64} : tensor<2x16x4xf32>
  %4 = functional.cat %a, %b, %c, %d, %f {dim = 1 : i64} : tensor<2x3x4xf32>, tensor<2x1x4xf32>, tensor<2x4x4xf32>, tensor<2x8x4xf32>, tensor<2x6x4xf32>
  return %4 : tensor<2x22x4xf32>
}

// Two read fewer parts than three, and are as they were.
// CHECK-LABEL: func.func @two(
// CHECK-COUNT-2: functional.cat
func.func @two(%a: tensor<3xf32>, %b: tensor<1xf32>) -> tensor<8xf32> {
  %1 = functional.cat %a, %b : tensor<3xf32>, tensor<1xf32>
  %c = functional.sin %1 : tensor<4xf32>
  %2 = functional.cat %a, %b, %c : tensor<3xf32>, tensor<1xf32>, tensor<4xf32>
  return %2 : tensor<8xf32>
}
