// Images of other sizes, and elements at the places of a grid.
// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --split-input-file | FileCheck %s

// Twice as wide: two elements for each; one and a half times as high: by the ratio, in f32.
// CHECK-LABEL: func.func @nearest(
// CHECK: loop.pointwise (%{{.*}} = 1, %{{.*}} = 2, %[[I:.*]] = 6, %[[J:.*]] = 8)
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: math.floor
// CHECK: %[[ROW:.*]] = arith.minsi
// CHECK: %[[COLUMN:.*]] = arith.divui %[[J]], %c2
// CHECK: loop.load %arg0[%{{.*}}, %{{.*}}, %[[ROW]], %[[COLUMN]]]
func.func @nearest(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x6x8xf32> {
  %0 = functional.upsample_nearest2d %x output_size [6, 8] : tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x6x8xf32>
}

// -----

// Two taps along a dimension.
// CHECK-LABEL: func.func @linear(
// CHECK: loop.pointwise
// CHECK-COUNT-4: loop.load %arg0
// CHECK-NOT: loop.load
func.func @linear(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x6x8xf32> {
  %0 = functional.upsample_bilinear2d %x output_size [6, 8] {align_corners = false} : tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x6x8xf32>
}

// -----

// The gradient goes to the taps, of which the domain has as many again.
// CHECK-LABEL: func.func @cubic_backward(
// CHECK: loop.scatter add (%[[N:.*]] = 1, %[[C:.*]] = 2, %[[I:.*]] = 8, %[[J:.*]] = 8, %{{.*}} = 4, %{{.*}} = 4) into
// CHECK: loop.load %arg0[%[[N]], %[[C]], %[[I]], %[[J]]]
// CHECK: loop.yield %{{.*}} at [%[[N]], %[[C]], %{{.*}}, %{{.*}}]
func.func @cubic_backward(%g: tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32> {
  %0 = functional.upsample_bicubic2d_backward %g output_size [8, 8] input_size [1, 2, 4, 4] {align_corners = true}
       : tensor<1x2x8x8xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// -----

// A grid names x first; what lies outside is not read.
// CHECK-LABEL: func.func @sample(
// CHECK: loop.pointwise (%[[N:.*]] = 1, %[[C:.*]] = 2, %[[I:.*]] = 3, %[[J:.*]] = 3)
// CHECK: loop.load %arg1[%[[N]], %[[I]], %[[J]], 1]
// CHECK: loop.load %arg1[%[[N]], %[[I]], %[[J]], 0]
// CHECK-COUNT-4: loop.load %arg0[%[[N]], %[[C]], %{{.*}}, %{{.*}}] if
func.func @sample(%x: tensor<1x2x4x4xf32>, %g: tensor<1x3x3x2xf32>) -> tensor<1x2x3x3xf32> {
  %0 = functional.grid_sampler_2d %x, %g {interpolation_mode = 0 : i64, padding_mode = 0 : i64, align_corners = false}
       : tensor<1x2x4x4xf32>, tensor<1x3x3x2xf32>
  return %0 : tensor<1x2x3x3xf32>
}
