// How many blocks the kernels of a GPU have: enough for 132 multiprocessors wherever there are four million elements to read.

// RUN: terrace-opt %s --terrace-nvptx | grep -E "func.func @|gpu.launch_func" | FileCheck %s --implicit-check-not=gpu.launch_func

// CHECK-LABEL: func.func @sum_of_all(
// CHECK: gpu.launch_func @kernels::@sum_of_all_reduction_0 blocks in (%c256,
// CHECK: gpu.launch_func @kernels::@sum_of_all_reduction_1 blocks in (%c1,
func.func @sum_of_all(%x: !graph.tensor<2048x2048xf32> {graph.storage = "x"}) -> !graph.tensor<f32> {
  %y = graph.sum %x : !graph.tensor<2048x2048xf32>
  return %y : !graph.tensor<f32>
}

// The second kernel has lanes along the blocks, a grid point for each column.
// CHECK-LABEL: func.func @column_sum(
// CHECK: gpu.launch_func @kernels::@column_sum_reduction_0 blocks in (%c256,
// CHECK: gpu.launch_func @kernels::@column_sum_reduction_1 blocks in (%c1024,
func.func @column_sum(%x: !graph.tensor<4096x1024xf32> {graph.storage = "x"}) -> !graph.tensor<1024xf32> {
  %y = graph.sum %x {dim = array<i64: 0>} : !graph.tensor<4096x1024xf32>
  return %y : !graph.tensor<1024xf32>
}

// 16 rows of 64 columns are one row of 1,024 lanes.
// CHECK-LABEL: func.func @narrow_column_sum(
// CHECK: gpu.launch_func @kernels::@narrow_column_sum_reduction_0 blocks in (%c256,{{.*}} threads in (%c256,
// CHECK: gpu.launch_func @kernels::@narrow_column_sum_reduction_1 blocks in (%c64,
func.func @narrow_column_sum(%x: !graph.tensor<65536x64xf32> {graph.storage = "x"}) -> !graph.tensor<64xf32> {
  %y = graph.sum %x {dim = array<i64: 0>} : !graph.tensor<65536x64xf32>
  return %y : !graph.tensor<64xf32>
}

// CHECK-LABEL: func.func @bias_gradient(
// CHECK: gpu.launch_func @kernels::@bias_gradient_reduction_0 blocks in (%c256,{{.*}} threads in (%c256,
// CHECK: gpu.launch_func @kernels::@bias_gradient_reduction_1 blocks in (%c1,
func.func @bias_gradient(%x: !graph.tensor<16x64x64x64xf32> {graph.storage = "x"}) -> !graph.tensor<64xf32> {
  %y = graph.sum %x {dim = array<i64: 0, 2, 3>} : !graph.tensor<16x64x64x64xf32>
  return %y : !graph.tensor<64xf32>
}

// CHECK-LABEL: func.func @cumsum_of_rows(
// CHECK: gpu.launch_func @kernels::@cumsum_of_rows_scan_0 blocks in (%c1024,
func.func @cumsum_of_rows(%x: !graph.tensor<4096x1024xf32> {graph.storage = "x"}) -> !graph.tensor<4096x1024xf32> {
  %y = graph.cumsum %x {dim = 1 : i64} : !graph.tensor<4096x1024xf32>
  return %y : !graph.tensor<4096x1024xf32>
}

// CHECK-LABEL: func.func @cumsum_of_columns(
// CHECK: gpu.launch_func {{.*}} blocks in (%c256,
// CHECK: gpu.launch_func @kernels::@cumsum_of_columns_scan_0 blocks in (%c1024,
// CHECK: gpu.launch_func @kernels::@cumsum_of_columns_scan_1 blocks in (%c256,
func.func @cumsum_of_columns(%x: !graph.tensor<4096x1024xf32> {graph.storage = "x"}) -> !graph.tensor<4096x1024xf32> {
  %y = graph.cumsum %x {dim = 0 : i64} : !graph.tensor<4096x1024xf32>
  return %y : !graph.tensor<4096x1024xf32>
}

// CHECK-LABEL: func.func @cumsum_of_all(
// CHECK: gpu.launch_func {{.*}} blocks in (%c256,
// CHECK: gpu.launch_func @kernels::@cumsum_of_all_scan_0 blocks in (%c1,
// CHECK: gpu.launch_func @kernels::@cumsum_of_all_scan_1 blocks in (%c256,
func.func @cumsum_of_all(%x: !graph.tensor<4194304xf32> {graph.storage = "x"}) -> !graph.tensor<4194304xf32> {
  %y = graph.cumsum %x {dim = 0 : i64} : !graph.tensor<4194304xf32>
  return %y : !graph.tensor<4194304xf32>
}

// A sum of each channel by blocks, what is made of these for 64 channels, then every element.
// CHECK-LABEL: func.func @batch_norm_train(
// CHECK: gpu.launch_func @kernels::@batch_norm_train_reduction_0 blocks in (%c256,
// CHECK: gpu.launch_func @kernels::@batch_norm_train_group_0 blocks in (%c1,
// CHECK: gpu.launch_func @kernels::@batch_norm_train_reduction_1 blocks in (%c256,
// CHECK: gpu.launch_func @kernels::@batch_norm_train_group_1 blocks in (%c1,
// CHECK: gpu.launch_func @kernels::@batch_norm_train_pointwise_0 blocks in (%c1024,
func.func @batch_norm_train(%x: !graph.tensor<64x64x32x32xf32> {graph.storage = "x"}, %w: !graph.tensor<64xf32> {graph.storage = "w"}, %b: !graph.tensor<64xf32> {graph.storage = "b"}) -> !graph.tensor<64x64x32x32xf32> {
  %y = graph.batch_norm %x weight %w : !graph.tensor<64xf32> bias %b : !graph.tensor<64xf32> {training = true, momentum = 0.1, eps = 1.0e-05, cudnn_enabled = false} : !graph.tensor<64x64x32x32xf32>
  return %y : !graph.tensor<64x64x32x32xf32>
}

// CHECK-LABEL: func.func @batch_norm(
// CHECK: gpu.launch_func {{.*}} blocks in (%c1,
// CHECK: gpu.launch_func {{.*}} blocks in (%c1024,
func.func @batch_norm(%x: !graph.tensor<64x64x32x32xf32> {graph.storage = "x"}, %m: !graph.tensor<64xf32> {graph.storage = "m"}, %v: !graph.tensor<64xf32> {graph.storage = "v"}, %w: !graph.tensor<64xf32> {graph.storage = "w"}, %b: !graph.tensor<64xf32> {graph.storage = "b"}) -> !graph.tensor<64x64x32x32xf32> {
  %y = graph.batch_norm %x weight %w : !graph.tensor<64xf32> bias %b : !graph.tensor<64xf32> running_mean %m : !graph.tensor<64xf32> running_var %v : !graph.tensor<64xf32> {training = false, momentum = 0.1, eps = 1.0e-05, cudnn_enabled = false} : !graph.tensor<64x64x32x32xf32>
  return %y : !graph.tensor<64x64x32x32xf32>
}

// Whether all places are there, a copy, then an atomic operation a point.
// CHECK-LABEL: func.func @counts(
// CHECK: gpu.launch_func @kernels::@counts_reduction_0 blocks in (%c256,
// CHECK: gpu.launch_func @kernels::@counts_reduction_1 blocks in (%c1,
// CHECK: gpu.launch_func @kernels::@counts_pointwise_0 blocks in (%c64,
// CHECK: gpu.launch_func @kernels::@counts_scatter_0 blocks in (%c1024,
func.func @counts(%bins: !graph.tensor<65536xi64> {graph.storage = "bins"}, %at: !graph.tensor<4194304xi64> {graph.storage = "at"}, %n: !graph.tensor<4194304xi64> {graph.storage = "n"}) -> !graph.tensor<65536xi64> {
  %y = graph.scatter_add %bins, %at, %n {dim = 0} : !graph.tensor<65536xi64>, !graph.tensor<4194304xi64>, !graph.tensor<4194304xi64>
  return %y : !graph.tensor<65536xi64>
}
