// RUN: terrace-opt %s --pass-pipeline='builtin.module(func.func(convert-functional-to-loop))' --split-input-file | FileCheck %s

// Real and imaginary parts side by side: each point is the element of one of the two.
// CHECK-LABEL: func.func @two(
//       CHECK:   %[[Y:.*]] = loop.pointwise (%[[I:.*]] = 8, %[[J:.*]] = 32)
//       CHECK:     %[[N:.*]] = arith.remui %[[J]], %c2
//       CHECK:     %[[A:.*]] = loop.load %arg0[%[[I]], %[[J]] floordiv 2, 0]
//       CHECK:     %[[O:.*]] = arith.cmpi eq, %[[N]], %c1
//       CHECK:     %[[B:.*]] = loop.load %arg1[%[[I]], %[[J]] floordiv 2, 0]
//       CHECK:     arith.select %[[O]], %[[B]], %[[A]]
//       CHECK:   tensor.expand_shape %[[Y]] {{\[\[}}0], [1, 2]] output_shape [8, 16, 2]
func.func @two(%a: tensor<8x16x1xf32>, %b: tensor<8x16x1xf32>) -> tensor<8x16x2xf32> {
  %0 = functional.cat %a, %b {dim = -1 : i64} : tensor<8x16x1xf32>, tensor<8x16x1xf32>
  return %0 : tensor<8x16x2xf32>
}

// -----

// CHECK-LABEL: func.func @not_of_more_than_one_element(
// CHECK-COUNT-2: loop.scatter
func.func @not_of_more_than_one_element(%a: tensor<8x16x1xf32>, %b: tensor<8x16x3xf32>) -> tensor<8x16x4xf32> {
  %0 = functional.cat %a, %b {dim = -1 : i64} : tensor<8x16x1xf32>, tensor<8x16x3xf32>
  return %0 : tensor<8x16x4xf32>
}

// -----

// CHECK-LABEL: func.func @not_along_another_dimension(
// CHECK-COUNT-2: loop.scatter
func.func @not_along_another_dimension(%a: tensor<8x1x16xf32>, %b: tensor<8x1x16xf32>) -> tensor<8x2x16xf32> {
  %0 = functional.cat %a, %b {dim = 1 : i64} : tensor<8x1x16xf32>, tensor<8x1x16xf32>
  return %0 : tensor<8x2x16xf32>
}

// -----

// CHECK-LABEL: func.func @not_of_sizes_of_the_run(
// CHECK-COUNT-2: loop.scatter
func.func @not_of_sizes_of_the_run(%a: tensor<?x1xf32>, %b: tensor<?x1xf32>) -> tensor<?x2xf32> {
  %0 = functional.cat %a, %b {dim = 1 : i64} : tensor<?x1xf32>, tensor<?x1xf32>
  return %0 : tensor<?x2xf32>
}
