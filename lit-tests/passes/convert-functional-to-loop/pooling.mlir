// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --split-input-file | FileCheck %s

// The padding is not read; of several largest elements the first, of nans the last.
// CHECK-LABEL: func.func @max_pool(
// CHECK: %[[VALUES:.*]] = loop.reduction max (%{{.*}} = 2, %{{.*}} = 3, %{{.*}} = 4, %{{.*}} = 4) over (%{{.*}} = 3, %{{.*}} = 3)
// CHECK: %[[KEYS:.*]] = loop.reduction min (%{{.*}} = 2, %{{.*}} = 3, %[[P:.*]] = 4, %[[Q:.*]] = 4) over (%[[K:.*]] = 3, %[[L:.*]] = 3)
// CHECK: loop.load %arg0[%{{.*}}, %{{.*}}, %[[P]] * 2 + %[[K]] - 1, %[[Q]] * 2 + %[[L]] - 1] if %{{.*}} else %cst
// CHECK: arith.cmpf oeq
// CHECK: arith.cmpf une
// CHECK: %[[PLACES:.*]] = loop.pointwise
// CHECK: loop.load %[[KEYS]]
// CHECK: math.absi
// CHECK: return %[[VALUES]], %[[PLACES]]
func.func @max_pool(%x: tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi64>) {
  %0:2 = functional.max_pool2d_with_indices %x
         {kernel_size = array<i64: 3>, stride = array<i64: 2>, padding = array<i64: 1>} : tensor<2x3x8x8xf32>
  return %0#0, %0#1 : tensor<2x3x4x4xf32>, tensor<2x3x4x4xi64>
}

// -----

// CHECK-LABEL: func.func @max_pool_backward(
// CHECK: cf.assert %{{.*}}, "Found an invalid max index (input image has 8x8 elements)"
// CHECK: loop.scatter add (%[[N:.*]] = 2, %[[C:.*]] = 3, %{{.*}} = 4, %{{.*}} = 4) into
// CHECK: loop.yield %{{.*}} at [%[[N]], %[[C]], %{{.*}}, %{{.*}}]
func.func @max_pool_backward(%g: tensor<2x3x4x4xf32>, %x: tensor<2x3x8x8xf32>, %i: tensor<2x3x4x4xi64>) -> tensor<2x3x8x8xf32> {
  %0 = functional.max_pool2d_with_indices_backward %g, %x, %i
       {kernel_size = array<i64: 2>, stride = array<i64>, padding = array<i64: 0>, dilation = array<i64: 1>, ceil_mode = false}
       : tensor<2x3x4x4xf32>, tensor<2x3x8x8xf32>, tensor<2x3x4x4xi64>
  return %0 : tensor<2x3x8x8xf32>
}

// -----

// Windows that see everything are divided by a constant.
// CHECK-LABEL: func.func @avg_pool(
// CHECK: loop.reduction add (%{{.*}} = 3, %[[P:.*]] = 4, %[[Q:.*]] = 4) over (%[[K:.*]] = 2, %[[L:.*]] = 2)
// CHECK-NEXT: loop.load %arg0[%{{.*}}, %[[P]] * 2 + %[[K]], %[[Q]] * 2 + %[[L]]] : tensor<3x8x8xf32>
// CHECK: loop.pointwise
// CHECK-NOT: arith.select
// CHECK: arith.divf
func.func @avg_pool(%x: tensor<3x8x8xf32>) -> tensor<3x4x4xf32> {
  %0 = functional.avg_pool2d %x {kernel_size = array<i64: 2>} : tensor<3x8x8xf32>
  return %0 : tensor<3x4x4xf32>
}

// -----

// To each place its share of each window that sees it: that of which it has a place.
// CHECK-LABEL: func.func @avg_pool_backward(
// CHECK: loop.reduction add (%{{.*}} = 3, %[[I:.*]] = 8, %[[J:.*]] = 8) over (%[[K:.*]] = 3, %[[L:.*]] = 3)
// CHECK: loop.load %arg0[%{{.*}}, (%[[I]] - %[[K]] + 1) floordiv 2, (%[[J]] - %[[L]] + 1) floordiv 2] if %[[MASK:.*]] else
// CHECK: arith.select %[[MASK]]
// CHECK: arith.divf
func.func @avg_pool_backward(%g: tensor<3x4x4xf32>, %x: tensor<3x8x8xf32>) -> tensor<3x8x8xf32> {
  %0 = functional.avg_pool2d_backward %g, %x
       {kernel_size = array<i64: 3>, stride = array<i64: 2>, padding = array<i64: 1>, ceil_mode = false, count_include_pad = false}
       : tensor<3x4x4xf32>, tensor<3x8x8xf32>
  return %0 : tensor<3x8x8xf32>
}

// -----

// Seven places in three parts: 0 to 2, 2 to 4, 4 to 6.
// CHECK-LABEL: func.func @adaptive(
// CHECK: loop.reduction add (%{{.*}} = 2, %[[P:.*]] = 3, %{{.*}} = 3) over (%[[K:.*]] = 3, %{{.*}} = 3)
// CHECK: %[[BEFORE:.*]] = arith.muli %[[P]], %c7
// CHECK: %[[FIRST:.*]] = arith.divui %[[BEFORE]], %c3
// CHECK: %[[AT:.*]] = arith.addi %[[FIRST]], %[[K]]
// CHECK: loop.load %arg0[%{{.*}}, %[[AT]], %{{.*}}] if
func.func @adaptive(%x: tensor<2x7x7xf32>) -> tensor<2x3x3xf32> {
  %0 = functional._adaptive_avg_pool2d %x {output_size = array<i64: 3, 3>} : tensor<2x7x7xf32>
  return %0 : tensor<2x3x3xf32>
}

// Of several largest elements the place of the first.
// CHECK-LABEL: func.func @adaptive_max(
// CHECK: %[[MAX:.*]] = loop.reduction max (%{{.*}} = 2, %{{.*}} = 3, %{{.*}} = 3) over (%{{.*}} = 3, %{{.*}} = 3)
// CHECK: %[[KEYS:.*]] = loop.reduction min (%{{.*}} = 2, %{{.*}} = 3, %{{.*}} = 3) over (%{{.*}} = 3, %{{.*}} = 3)
// CHECK: arith.cmpf oeq
// CHECK: loop.pointwise (%[[C:.*]] = 2, %[[P:.*]] = 3, %[[Q:.*]] = 3)
// CHECK: %[[KEY:.*]] = loop.load %[[KEYS]][%[[C]], %[[P]], %[[Q]]]
// CHECK: math.absi %[[KEY]]
func.func @adaptive_max(%x: tensor<2x7x7xf32>) -> (tensor<2x3x3xf32>, tensor<2x3x3xi64>) {
  %0:2 = functional.adaptive_max_pool2d %x {output_size = array<i64: 3, 3>} : tensor<2x7x7xf32>
  return %0#0, %0#1 : tensor<2x3x3xf32>, tensor<2x3x3xi64>
}

// -----

// Windows that have elements in common, and reach beyond the image, are over a copy with the lowest number around it: no mask.
// CHECK-LABEL: func.func @overlapping(
// CHECK: %[[COPY:.*]] = loop.pointwise (%{{.*}} = 2, %{{.*}} = 3, %{{.*}} = 9, %{{.*}} = 16)
// CHECK: loop.load %{{.*}} if %{{.*}} else %[[LOWEST:.*]] : tensor<2x3x8x8xf32>, f32
// CHECK: loop.reduction max (%[[N:.*]] = 2, %[[C:.*]] = 3, %[[I:.*]] = 4, %[[J:.*]] = 4) over (%[[H:.*]] = 3, %[[V:.*]] = 3)
// CHECK-NEXT: loop.load %[[COPY]][%[[N]], %[[C]], %[[I]] * 2 + %[[H]], %[[J]] * 2 + %[[V]]] : tensor<2x3x9x16xf32>
func.func @overlapping(%x: tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32> {
  %0:2 = functional.max_pool2d_with_indices %x {kernel_size = array<i64: 3>, stride = array<i64: 2>, padding = array<i64: 1>} : tensor<2x3x8x8xf32>
  return %0#0 : tensor<2x3x4x4xf32>
}

// -----

// The same of a sum, of an image without batches: zeros.
// CHECK-LABEL: func.func @overlapping_mean(
// CHECK: loop.pointwise (%{{.*}} = 3, %{{.*}} = 10, %{{.*}} = 16)
// CHECK: loop.reduction add (%[[C:.*]] = 3, %[[I:.*]] = 8, %[[J:.*]] = 8) over (%[[H:.*]] = 3, %[[V:.*]] = 3)
// CHECK-NEXT: loop.load %{{.*}}[%[[C]], %[[I]] + %[[H]], %[[J]] + %[[V]]] : tensor<3x10x16xf32>
func.func @overlapping_mean(%x: tensor<3x8x8xf32>) -> tensor<3x8x8xf32> {
  %0 = functional.avg_pool2d %x {kernel_size = array<i64: 3>, stride = array<i64: 1>, padding = array<i64: 1>} : tensor<3x8x8xf32>
  return %0 : tensor<3x8x8xf32>
}

// -----

// Of an image whose channels are last the mask is one for all lanes: no copy.
// CHECK-LABEL: func.func @channels_last(
// CHECK-NOT: loop.pointwise
// CHECK: loop.reduction max
// CHECK: loop.load %arg0[%{{.*}}] if %
func.func @channels_last(%x: tensor<2x8x8x3xf32>) -> tensor<2x3x4x4xf32> {
  %p = functional.permute %x {dims = array<i64: 0, 3, 1, 2>} : tensor<2x8x8x3xf32>
  %0:2 = functional.max_pool2d_with_indices %p {kernel_size = array<i64: 3>, stride = array<i64: 2>, padding = array<i64: 1>} : tensor<2x3x8x8xf32>
  return %0#0 : tensor<2x3x4x4xf32>
}
