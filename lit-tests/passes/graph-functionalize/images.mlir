// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// Windows along one dimension are those over an image of one row.
// CHECK-LABEL: func.func private @row.core
// CHECK: functional.max_pool2d_with_indices %{{.*}} {{.*}}kernel_size = array<i64: 1, 2>, padding = array<i64: 0, 1>{{.*}} : tensor<2x1x5xf32>
func.func @row(%x: !graph.tensor<2x5xf32>) -> !graph.tensor<2x3xf32> {
  %0 = graph.max_pool1d %x {kernel_size = array<i64: 2>, padding = array<i64: 1>} : !graph.tensor<2x5xf32>
  return %0 : !graph.tensor<2x3xf32>
}

// One window is the mean of all.
// CHECK-LABEL: func.func private @all.core
// CHECK-NOT: adaptive
// CHECK: functional.mean
func.func @all(%x: !graph.tensor<2x4x4xf32>) -> !graph.tensor<2x1x1xf32> {
  %0 = graph.adaptive_avg_pool2d %x {output_size = array<i64: 1, 1>} : !graph.tensor<2x4x4xf32>
  return %0 : !graph.tensor<2x1x1xf32>
}

// Factors name the sizes.
// CHECK-LABEL: func.func private @factors.core
// CHECK: functional.upsample_nearest2d %{{.*}} output_size [8, 6] {scales_h = 2.000000e+00 : f64, scales_w = 1.500000e+00 : f64}
func.func @factors(%x: !graph.tensor<1x1x4x4xf32>) -> !graph.tensor<1x1x8x6xf32> {
  %0 = graph.upsample_nearest2d.vec %x {scale_factors = array<f64: 2.0, 1.5>} : !graph.tensor<1x1x4x4xf32>
  return %0 : !graph.tensor<1x1x8x6xf32>
}

// Channels become elements by a view of their own.
// CHECK-LABEL: func.func private @shuffle.core
// CHECK: functional.view %{{.*}} size [1, 2, 2, 3, 3]
// CHECK: functional.permute %{{.*}} {dims = array<i64: 0, 3, 1, 4, 2>}
// CHECK: functional.view %{{.*}} size [1, 6, 6]
func.func @shuffle(%x: !graph.tensor<4x3x3xf32>) -> !graph.tensor<1x6x6xf32> {
  %0 = graph.pixel_shuffle %x {upscale_factor = 2} : !graph.tensor<4x3x3xf32>
  return %0 : !graph.tensor<1x6x6xf32>
}

// Sizes of the run times a factor: whole ones are products, others are computed in f64.
// CHECK-LABEL: func.func private @of_the_run.core
// CHECK: %[[ROWS:.*]] = arith.muli %{{.*}}, %c2_i64
// CHECK: %[[FLOAT:.*]] = arith.sitofp %{{.*}} : i64 to f64
// CHECK: %[[PART:.*]] = arith.mulf %[[FLOAT]], %{{.*}}
// CHECK: %[[COLUMNS:.*]] = arith.fptosi %[[PART]]
// CHECK: functional.upsample_nearest2d %{{.*}} output_size [%[[ROWS]], %[[COLUMNS]]] {scales_h = 2.000000e+00 : f64, scales_w = 1.300000e+00 : f64}
func.func @of_the_run(%x: !graph.tensor<?x?x?x?xf32>) -> !graph.tensor<?x?x?x?xf32> {
  %0 = graph.upsample_nearest2d.vec %x {scale_factors = array<f64: 2.0, 1.3>} : !graph.tensor<?x?x?x?xf32>
  return %0 : !graph.tensor<?x?x?x?xf32>
}
