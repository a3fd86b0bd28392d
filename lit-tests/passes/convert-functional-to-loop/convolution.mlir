// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse | FileCheck %s
// RUN: terrace-opt %s --convert-functional-to-loop --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER
// BUFFER-NOT: {{[^a-z]}}tensor<

// Without padding every position is inside.
// CHECK-LABEL: func.func @plain
// CHECK: loop.reduction add (%[[N:.*]] = 2, %[[O:.*]] = 6, %[[P:.*]] = 7) over (%[[C:.*]] = 4, %[[K:.*]] = 3)
// CHECK-NEXT: loop.load %{{.*}}[%[[N]], %[[C]], %[[P]] + %[[K]]] : tensor<2x4x9xf32>
// CHECK-NEXT: loop.load %{{.*}}[%[[O]], %[[C]], %[[K]]] : tensor<6x4x3xf32>
// CHECK-NEXT: arith.mulf
func.func @plain(%x: tensor<2x4x9xf32>, %w: tensor<6x4x3xf32>) -> tensor<2x6x7xf32> {
  %0 = functional.convolution %x, %w {stride = array<i64: 1>, padding = array<i64: 0>, dilation = array<i64: 1>, output_padding = array<i64: 0>} : tensor<2x4x9xf32>, tensor<6x4x3xf32>
  return %0 : tensor<2x6x7xf32>
}

// CHECK-LABEL: func.func @strided_padded_dilated_grouped
// CHECK: %[[COPY:.*]] = loop.pointwise (%[[N:.*]] = 2, %[[C:.*]] = 4, %[[I:.*]] = 16)
// CHECK: %[[IN:.*]] = arith.cmpi ult
// CHECK: loop.load %{{.*}}[%[[N]], %[[C]], %[[I]] - 1] if %[[IN]] else %{{.*}} : tensor<2x4x9xf32>, f32
// CHECK: loop.reduction add (%[[N:.*]] = 2, %[[O:.*]] = 6, %[[P:.*]] = 4) over (%[[C:.*]] = 2, %[[K:.*]] = 3)
// CHECK-NEXT: loop.load %[[COPY]][%[[N]], (%[[O]] floordiv 3) * 2 + %[[C]], %[[P]] * 2 + %[[K]] * 2] : tensor<2x4x16xf32>
// CHECK: loop.load %{{.*}}[%[[O]], %[[C]], %[[K]]]
// CHECK: loop.pointwise (%{{.*}} = 2, %[[O:.*]] = 6, %{{.*}} = 4)
// CHECK: loop.load %{{.*}}[%[[O]]] : tensor<6xf32>
func.func @strided_padded_dilated_grouped(%x: tensor<2x4x9xf32>, %w: tensor<6x2x3xf32>, %b: tensor<6xf32>) -> tensor<2x6x4xf32> {
  %0 = functional.convolution %x, %w bias %b {stride = array<i64: 2>, padding = array<i64: 1>, dilation = array<i64: 2>, output_padding = array<i64: 0>, groups = 2 : i64} : tensor<2x4x9xf32>, tensor<6x2x3xf32>, tensor<6xf32>
  return %0 : tensor<2x6x4xf32>
}

// Zeros around a copy, in rows of whole vectors, stand in the place of masks.
// CHECK-LABEL: func.func @of_each_channel
// CHECK: %[[COPY:.*]] = loop.pointwise (%[[N:.*]] = 2, %[[C:.*]] = 4, %[[I:.*]] = 11, %[[J:.*]] = 16)
// CHECK: loop.load %{{.*}}[%[[N]], %[[C]], %[[I]] - 1, %[[J]] - 1] if %{{.*}} else
// CHECK: loop.reduction add (%[[N:.*]] = 2, %[[C:.*]] = 4, %[[P:.*]] = 9, %[[Q:.*]] = 9) over (%{{.*}} = 1, %[[K:.*]] = 3, %[[L:.*]] = 3)
// CHECK-NEXT: loop.load %[[COPY]][%[[N]], %[[C]], %[[P]] + %[[K]], %[[Q]] + %[[L]]] : tensor<2x4x11x16xf32>
func.func @of_each_channel(%x: tensor<2x4x9x9xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<2x4x9x9xf32> {
  %0 = functional.convolution %x, %w {stride = array<i64: 1>, padding = array<i64: 1>, dilation = array<i64: 1>, output_padding = array<i64: 0>, groups = 4 : i64} : tensor<2x4x9x9xf32>, tensor<4x1x3x3xf32>
  return %0 : tensor<2x4x9x9xf32>
}

// Every other position of the output meets the same positions of the window: a plain convolution for each phase of the stride, all
// over one padded copy. The window is turned round, so that the image is read forwards.
// CHECK-LABEL: func.func @transposed(
// CHECK: %[[COPY:.*]] = loop.pointwise (%{{.*}} = 1, %{{.*}} = 4, %{{.*}} = 16)
// CHECK: %[[EVEN:.*]] = loop.reduction add (%[[N:.*]] = 1, %[[O:.*]] = 6, %[[P:.*]] = 5) over (%[[C:.*]] = 2, %[[K:.*]] = 1)
// CHECK-NEXT: loop.load %[[COPY]][%[[N]], (%[[O]] floordiv 3) * 2 + %[[C]], %[[P]] + %[[K]]] : tensor
// CHECK-NEXT: loop.load %arg1[(%[[O]] floordiv 3) * 2 + %[[C]], %[[O]] mod 3, %[[K]] * -2 + 1]
// CHECK: %[[HALF:.*]] = loop.scatter (%[[N:.*]] = 1, %[[O:.*]] = 6, %[[P:.*]] = 5) into
// CHECK-NEXT: %[[X:.*]] = loop.load %[[EVEN]][%[[N]], %[[O]], %[[P]]]
// CHECK-NEXT: loop.yield %[[X]] at [%[[N]], %[[O]], %[[P]] * 2]
// CHECK: %[[ODD:.*]] = loop.reduction add (%[[N:.*]] = 1, %[[O:.*]] = 6, %[[P:.*]] = 5) over (%[[C:.*]] = 2, %[[K:.*]] = 2)
// CHECK: loop.load %[[COPY]][%[[N]], (%[[O]] floordiv 3) * 2 + %[[C]], %[[P]] + %[[K]]] : tensor
// CHECK-NEXT: loop.load %arg1[(%[[O]] floordiv 3) * 2 + %[[C]], %[[O]] mod 3, %[[K]] * -2 + 2]
// CHECK: loop.scatter {{.*}} into %[[HALF]]
// CHECK-NEXT: loop.load %[[ODD]]
// CHECK-NEXT: loop.yield %{{.*}} at [%{{.*}}, %{{.*}}, %{{.*}} * 2 + 1]
func.func @transposed(%x: tensor<1x4x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<1x6x10xf32> {
  %0 = functional.convolution %x, %w {stride = array<i64: 2>, padding = array<i64: 1>, dilation = array<i64: 1>, transposed = true, output_padding = array<i64: 1>, groups = 2 : i64} : tensor<1x4x5xf32>, tensor<4x3x3xf32>
  return %0 : tensor<1x6x10xf32>
}

// Dilated by a multiple of the stride, or with a window of one, some phases meet nothing; the bias is there all the same.
// CHECK-LABEL: func.func @phases_without_windows(
// CHECK: loop.reduction add (%{{.*}} = 1, %{{.*}} = 3, %{{.*}} = 5) over (%{{.*}} = 4, %{{.*}} = 0)
// CHECK: loop.pointwise
// CHECK: loop.load %arg2
// CHECK: loop.reduction add (%{{.*}} = 1, %{{.*}} = 3, %{{.*}} = 5) over (%{{.*}} = 4, %{{.*}} = 3)
// CHECK-NEXT: loop.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}} + %{{.*}}] : tensor<1x4x7xf32>
// CHECK-NEXT: loop.load %arg1[%{{.*}}, %{{.*}}, -%{{.*}} + 2]
// CHECK: loop.pointwise
// CHECK: loop.load %arg2
func.func @phases_without_windows(%x: tensor<1x4x4xf32>, %w: tensor<4x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x3x10xf32> {
  %0 = functional.convolution %x, %w bias %b {stride = array<i64: 2>, padding = array<i64: 1>, dilation = array<i64: 2>, transposed = true, output_padding = array<i64: 1>, groups = 1 : i64} : tensor<1x4x4xf32>, tensor<4x3x3xf32>, tensor<3xf32>
  return %0 : tensor<1x3x10xf32>
}

// Of many phases there would be much code: windows are found by division.
// CHECK-LABEL: func.func @many_phases(
// CHECK: loop.reduction add (%[[N:.*]] = 1, %[[O:.*]] = 6, %[[P:.*]] = 70) over (%[[C:.*]] = 2, %[[K:.*]] = 3)
// CHECK: arith.cmpi ult
// CHECK: arith.remsi
// CHECK: loop.load %{{.*}}[%[[N]], (%[[O]] floordiv 3) * 2 + %[[C]], (%[[P]] - %[[K]] + 1) floordiv 17] if
func.func @many_phases(%x: tensor<1x4x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<1x6x70xf32> {
  %0 = functional.convolution %x, %w {stride = array<i64: 17>, padding = array<i64: 1>, dilation = array<i64: 1>, transposed = true, output_padding = array<i64: 1>, groups = 2 : i64} : tensor<1x4x5xf32>, tensor<4x3x3xf32>
  return %0 : tensor<1x6x70xf32>
}

// CHECK-LABEL: func.func @three_dimensions
// CHECK: loop.reduction add (%{{.*}} = 1, %{{.*}} = 2, %{{.*}} = 4, %{{.*}} = 4, %{{.*}} = 4) over (%{{.*}} = 1, %{{.*}} = 3, %{{.*}} = 3, %{{.*}} = 3)
func.func @three_dimensions(%x: tensor<1x1x4x4x4xf32>, %w: tensor<2x1x3x3x3xf32>) -> tensor<1x2x4x4x4xf32> {
  %0 = functional.convolution %x, %w {stride = array<i64: 1>, padding = array<i64: 1>, dilation = array<i64: 1>, output_padding = array<i64: 0>} : tensor<1x1x4x4x4xf32>, tensor<2x1x3x3x3xf32>
  return %0 : tensor<1x2x4x4x4xf32>
}

// The gradients: of the input the transpose, of the weight products of both images, of the bias a sum.
// CHECK-LABEL: func.func @gradients(
// CHECK-COUNT-4: loop.reduction add (%{{.*}} = 2, %{{.*}} = 4, %{{.*}} = 4, %{{.*}} = 4) over (%{{.*}} = 3, %{{.*}}, %{{.*}})
// CHECK: %[[X:.*]] = loop.scatter
// CHECK: %[[W:.*]] = loop.reduction add (%[[O:.*]] = 6, %[[C:.*]] = 2, %[[K:.*]] = 3, %[[L:.*]] = 3) over (%[[N:.*]] = 2, %[[P:.*]] = 4, %[[Q:.*]] = 4)
// CHECK: loop.load %arg0[%[[N]], %[[O]], %[[P]], %[[Q]]]
// CHECK: loop.load %arg1[%[[N]], (%[[O]] floordiv 3) * 2 + %[[C]], %[[P]] * 2 + %[[K]] - 1, %[[Q]] * 2 + %[[L]] - 1] if
// CHECK: %[[B:.*]] = loop.reduction add (%{{.*}} = 6) over (%{{.*}} = 2, %{{.*}} = 4, %{{.*}} = 4)
// CHECK: return %[[X]], %[[W]], %[[B]]
func.func @gradients(%g: tensor<2x6x4x4xf32>, %x: tensor<2x4x8x8xf32>, %w: tensor<6x2x3x3xf32>)
    -> (tensor<2x4x8x8xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>) {
  %0:3 = functional.convolution_backward %g, %x, %w
         {bias_sizes = array<i64: 6>, stride = array<i64: 2, 2>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>,
          transposed = false, output_padding = array<i64: 0, 0>, groups = 2 : i64, output_mask = array<i1: true, true, true>}
         : tensor<2x6x4x4xf32>, tensor<2x4x8x8xf32>, tensor<6x2x3x3xf32>
  return %0#0, %0#1, %0#2 : tensor<2x4x8x8xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>
}

// -----

// Groups of six output channels and more are a dimension of their own, so that each is a product; the sums are then those of all
// channels.
// CHECK-LABEL: func.func @groups_that_are_products
// CHECK: %[[S:.*]] = loop.reduction add (%[[N:.*]] = 2, %[[G:.*]] = 2, %[[O:.*]] = 8, %[[P:.*]] = 7) over (%[[C:.*]] = 4, %[[K:.*]] = 3)
// CHECK-DAG: loop.load %{{.*}}[%[[N]], %[[G]] * 4 + %[[C]], %[[P]] + %[[K]]] : tensor<2x8x9xf32>
// CHECK-DAG: loop.load %{{.*}}[%[[G]] * 8 + %[[O]], %[[C]], %[[K]]] : tensor<16x4x3xf32>
// CHECK: tensor.collapse_shape %[[S]] {{\[}}[0], [1, 2], [3]] : tensor<2x2x8x7xf32> into tensor<2x16x7xf32>
func.func @groups_that_are_products(%x: tensor<2x8x9xf32>, %w: tensor<16x4x3xf32>) -> tensor<2x16x7xf32> {
  %0 = functional.convolution %x, %w {stride = array<i64: 1>, padding = array<i64: 0>, dilation = array<i64: 1>, output_padding = array<i64: 0>, groups = 2 : i64} : tensor<2x8x9xf32>, tensor<16x4x3xf32>
  return %0 : tensor<2x16x7xf32>
}
