// RUN: terrace-opt %s --convert-functional-to-loop --split-input-file | FileCheck %s

// Many windows for each channel: the padded image gets its channels last, which are the lanes of a product for each kernel position.
// CHECK-LABEL: func.func @channels_last
// CHECK: %[[P:.*]] = loop.pointwise (%{{.*}} = 2, %{{.*}} = 16, %{{.*}} = 34, %{{.*}} = 34)
// CHECK: %[[X:.*]] = loop.pointwise (%[[N:.*]] = 2, %[[I:.*]] = 34, %[[J:.*]] = 34, %[[C:.*]] = 16)
// CHECK-NEXT: loop.load %[[P]][%[[N]], %[[C]], %[[I]], %[[J]]]
// CHECK: %[[S:.*]] = loop.reduction add (%[[H:.*]] = 3, %[[V:.*]] = 3, %[[O:.*]] = 8, %[[C:.*]] = 16) over (%[[N:.*]] = 2, %[[I:.*]] = 32, %[[J:.*]] = 32)
// CHECK-DAG: loop.load %arg0[%[[N]], %[[O]], %[[I]], %[[J]]]
// CHECK-DAG: loop.load %[[X]][%[[N]], %[[H]] + %[[I]], %[[V]] + %[[J]], %[[C]]]
// CHECK: loop.pointwise (%[[O:.*]] = 8, %[[C:.*]] = 16, %[[H:.*]] = 3, %[[V:.*]] = 3)
// CHECK-NEXT: loop.load %[[S]][%[[H]], %[[V]], %[[O]], %[[C]]]
func.func @channels_last(%g: tensor<2x8x32x32xf32>, %x: tensor<2x16x32x32xf32>, %w: tensor<8x16x3x3xf32>) -> tensor<8x16x3x3xf32> {
  %0 = functional.convolution_backward %g, %x, %w
       {bias_sizes = array<i64: 8>, stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>,
        transposed = false, output_padding = array<i64: 0, 0>, output_mask = array<i1: false, true, false>}
       : tensor<2x8x32x32xf32>, tensor<2x16x32x32xf32>, tensor<8x16x3x3xf32>
  return %0 : tensor<8x16x3x3xf32>
}

// -----

// Few windows: the sums would be more to turn than the windows are to copy.
// CHECK-LABEL: func.func @few_windows
// CHECK: loop.reduction add (%{{.*}} = 64, %{{.*}} = 16, %{{.*}} = 3, %{{.*}} = 3) over (%{{.*}} = 2, %{{.*}} = 4, %{{.*}} = 4)
func.func @few_windows(%g: tensor<2x64x4x4xf32>, %x: tensor<2x16x4x4xf32>, %w: tensor<64x16x3x3xf32>) -> tensor<64x16x3x3xf32> {
  %0 = functional.convolution_backward %g, %x, %w
       {bias_sizes = array<i64: 64>, stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>,
        transposed = false, output_padding = array<i64: 0, 0>, output_mask = array<i1: false, true, false>}
       : tensor<2x64x4x4xf32>, tensor<2x16x4x4xf32>, tensor<64x16x3x3xf32>
  return %0 : tensor<64x16x3x3xf32>
}

// -----

// A channel of a group meets those of its group alone.
// CHECK-LABEL: func.func @groups
// CHECK: loop.reduction add (%[[O:.*]] = 8, %[[C:.*]] = 16, %{{.*}} = 3, %{{.*}} = 3) over (%[[N:.*]] = 2, %{{.*}} = 32, %{{.*}} = 32)
// CHECK: loop.load %{{.*}}[%[[N]], (%[[O]] floordiv 4) * 16 + %[[C]],
func.func @groups(%g: tensor<2x8x32x32xf32>, %x: tensor<2x32x32x32xf32>, %w: tensor<8x16x3x3xf32>) -> tensor<8x16x3x3xf32> {
  %0 = functional.convolution_backward %g, %x, %w
       {bias_sizes = array<i64: 8>, stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, groups = 2 : i64,
        transposed = false, output_padding = array<i64: 0, 0>, output_mask = array<i1: false, true, false>}
       : tensor<2x8x32x32xf32>, tensor<2x32x32x32xf32>, tensor<8x16x3x3xf32>
  return %0 : tensor<8x16x3x3xf32>
}

// -----

// Of an image of any size no padded one is made, so windows ask where it ends.
// CHECK-LABEL: func.func @any_size
// CHECK: loop.reduction add (%{{.*}} = 8, %{{.*}} = 16, %{{.*}} = 3, %{{.*}} = 3) over (%{{.*}} = 2, %{{.*}} = 32, %{{.*}} = 32)
// CHECK: loop.load %arg1[{{.*}}] if
func.func @any_size(%g: tensor<2x8x32x32xf32>, %x: tensor<2x16x?x32xf32>, %w: tensor<8x16x3x3xf32>) -> tensor<8x16x3x3xf32> {
  %0 = functional.convolution_backward %g, %x, %w
       {bias_sizes = array<i64: 8>, stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>,
        transposed = false, output_padding = array<i64: 0, 0>, output_mask = array<i1: false, true, false>}
       : tensor<2x8x32x32xf32>, tensor<2x16x?x32xf32>, tensor<8x16x3x3xf32>
  return %0 : tensor<8x16x3x3xf32>
}
