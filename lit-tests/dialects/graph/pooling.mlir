// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @windows
// CHECK: graph.max_pool2d_with_indices %{{.*}} {kernel_size = array<i64: 2, 2>}
// CHECK: graph.max_pool2d_with_indices_backward %{{.*}}, %{{.*}}, %{{.*}} {
// CHECK: graph.max_pool2d %{{.*}} {ceil_mode = true, kernel_size = array<i64: 3>
// CHECK: graph.max_pool1d
// CHECK: graph.avg_pool2d %{{.*}} {divisor_override = 3 : i64, kernel_size = array<i64: 2>, stride = array<i64>}
// CHECK: graph.avg_pool1d
func.func @windows(%x: !graph.tensor<1x2x4x4xf32>, %row: !graph.tensor<2x5xf32>) -> !graph.tensor<1x2x2x2xf32> {
  %0, %1 = graph.max_pool2d_with_indices %x {kernel_size = array<i64: 2, 2>} : !graph.tensor<1x2x4x4xf32>
  %2 = graph.max_pool2d_with_indices_backward %0, %x, %1 {kernel_size = array<i64: 2, 2>, stride = array<i64>,
    padding = array<i64: 0, 0>, dilation = array<i64: 1, 1>, ceil_mode = false}
    : !graph.tensor<1x2x2x2xf32>, !graph.tensor<1x2x4x4xf32>, !graph.tensor<1x2x2x2xi64>
  %3 = graph.max_pool2d %x {kernel_size = array<i64: 3>, stride = array<i64: 2>, ceil_mode = true} : !graph.tensor<1x2x4x4xf32>
  %4 = graph.max_pool1d %row {kernel_size = array<i64: 2>} : !graph.tensor<2x5xf32>
  %5 = graph.avg_pool2d %x {kernel_size = array<i64: 2>, stride = array<i64>, divisor_override = 3 : i64} : !graph.tensor<1x2x4x4xf32>
  %6 = graph.avg_pool1d %row {kernel_size = array<i64: 2>} : !graph.tensor<2x5xf32>
  return %3 : !graph.tensor<1x2x2x2xf32>
}

// CHECK-LABEL: func.func @sizes
// CHECK: graph._adaptive_avg_pool2d
// CHECK: graph.adaptive_avg_pool2d
// CHECK: graph.adaptive_avg_pool1d
// CHECK: graph.upsample_nearest2d %
// CHECK: graph.upsample_bilinear2d.vec %{{.*}} {align_corners = false, scale_factors = array<f64: 2.000000e+00, 1.500000e+00>}
// CHECK: graph.pixel_shuffle
// CHECK: graph.pixel_unshuffle
func.func @sizes(%x: !graph.tensor<1x4x4x4xf32>, %row: !graph.tensor<2x5xf32>) -> !graph.tensor<1x4x8x6xf32> {
  %0 = graph._adaptive_avg_pool2d %x {output_size = array<i64: 3, 2>} : !graph.tensor<1x4x4x4xf32>
  %1 = graph.adaptive_avg_pool2d %x {output_size = array<i64: 1, 1>} : !graph.tensor<1x4x4x4xf32>
  %2 = graph.adaptive_avg_pool1d %row {output_size = array<i64: 3>} : !graph.tensor<2x5xf32>
  %3 = graph.upsample_nearest2d %x output_size [8, 8] : !graph.tensor<1x4x4x4xf32>
  %4 = graph.upsample_bilinear2d.vec %x {align_corners = false, scale_factors = array<f64: 2.0, 1.5>} : !graph.tensor<1x4x4x4xf32>
  %5 = graph.pixel_shuffle %x {upscale_factor = 2} : !graph.tensor<1x4x4x4xf32>
  %6 = graph.pixel_unshuffle %5 {downscale_factor = 2} : !graph.tensor<1x1x8x8xf32>
  return %4 : !graph.tensor<1x4x8x6xf32>
}

// A volume alone, or a batch of them.
// CHECK-LABEL: func.func @volumes
// CHECK: graph.max_pool3d_with_indices %{{.*}} {kernel_size = array<i64: 2>, stride = array<i64: 1>}
// CHECK: graph.max_pool3d_with_indices_backward %{{.*}}, %{{.*}}, %{{.*}} {
// CHECK: graph.max_pool3d %
// CHECK: graph.avg_pool3d %{{.*}} {divisor_override = 3 : i64, kernel_size = array<i64: 2, 1, 1>}
// CHECK: graph.avg_pool3d_backward
// CHECK: graph.prims._low_memory_max_pool_with_offsets
// CHECK: graph.prims._low_memory_max_pool_offsets_to_indices
func.func @volumes(%x: !graph.tensor<1x2x3x3x3xf32>, %one: !graph.tensor<2x3x3x3xf32>) -> !graph.tensor<2x1x1x1xf32> {
  %0, %1 = graph.max_pool3d_with_indices %x {kernel_size = array<i64: 2>, stride = array<i64: 1>} : !graph.tensor<1x2x3x3x3xf32>
  %2 = graph.max_pool3d_with_indices_backward %0, %x, %1 {kernel_size = array<i64: 2>, stride = array<i64: 1>,
    padding = array<i64: 0>, dilation = array<i64: 1>, ceil_mode = false}
    : !graph.tensor<1x2x2x2x2xf32>, !graph.tensor<1x2x3x3x3xf32>, !graph.tensor<1x2x2x2x2xi64>
  %3 = graph.max_pool3d %one {kernel_size = array<i64: 2>} : !graph.tensor<2x3x3x3xf32>
  %4 = graph.avg_pool3d %one {kernel_size = array<i64: 2, 1, 1>, divisor_override = 3 : i64} : !graph.tensor<2x3x3x3xf32>
  %5 = graph.avg_pool3d_backward %4, %one {kernel_size = array<i64: 2, 1, 1>, stride = array<i64>, padding = array<i64: 0>,
    ceil_mode = false, count_include_pad = true} : !graph.tensor<2x1x3x3xf32>, !graph.tensor<2x3x3x3xf32>
  %6, %7 = graph.prims._low_memory_max_pool_with_offsets %x {kernel_size = array<i64: 2, 2, 2>, stride = array<i64: 1, 1, 1>,
    padding = array<i64: 0, 0, 0>, dilation = array<i64: 1, 1, 1>, ceil_mode = false} : !graph.tensor<1x2x3x3x3xf32>
  %8 = graph.prims._low_memory_max_pool_offsets_to_indices %7 {kernel_size = array<i64: 2, 2, 2>, input_size = array<i64: 3, 3, 3>,
    stride = array<i64: 1, 1, 1>, padding = array<i64: 0, 0, 0>, dilation = array<i64: 1, 1, 1>} : !graph.tensor<1x2x2x2x2xi8>
  return %3 : !graph.tensor<2x1x1x1xf32>
}

// CHECK-LABEL: func.func @largest_of_parts
// CHECK: graph.adaptive_max_pool2d %{{.*}} {output_size = array<i64: 3, 2>} : !graph.tensor<1x4x4x4xf32>
// CHECK: graph.adaptive_max_pool2d_backward
// CHECK: graph.adaptive_max_pool3d
// CHECK: graph.adaptive_max_pool1d
func.func @largest_of_parts(%x: !graph.tensor<1x4x4x4xf32>, %row: !graph.tensor<2x5xf32>) {
  %0:2 = graph.adaptive_max_pool2d %x {output_size = array<i64: 3, 2>} : !graph.tensor<1x4x4x4xf32>
  %1 = graph.adaptive_max_pool2d_backward %0#0, %x, %0#1 : !graph.tensor<1x4x3x2xf32>, !graph.tensor<1x4x4x4xf32>, !graph.tensor<1x4x3x2xi64>
  %2:2 = graph.adaptive_max_pool3d %x {output_size = array<i64: 3, 2, 1>} : !graph.tensor<1x4x4x4xf32>
  %3:2 = graph.adaptive_max_pool1d %row {output_size = array<i64: 3>} : !graph.tensor<2x5xf32>
  return
}
