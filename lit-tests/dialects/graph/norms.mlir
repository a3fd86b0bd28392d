// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @batch
// CHECK: graph.batch_norm %{{.*}} weight %{{.*}} : !graph.tensor<3xf32> running_mean %{{.*}} : !graph.tensor<3xf32> running_var %{{.*}} : !graph.tensor<3xf32> {
// CHECK: graph._native_batch_norm_legit %{{[a-z0-9]+}} {
func.func @batch(%x: !graph.tensor<2x3x4xf32>, %w: !graph.tensor<3xf32>, %m: !graph.tensor<3xf32>, %v: !graph.tensor<3xf32>) {
  %0 = graph.batch_norm %x weight %w : !graph.tensor<3xf32> running_mean %m : !graph.tensor<3xf32> running_var %v : !graph.tensor<3xf32>
    {training = true, momentum = 0.1, eps = 1.0e-5, cudnn_enabled = false} : !graph.tensor<2x3x4xf32>
  %1:3 = graph._native_batch_norm_legit %x {training = true, momentum = 0.1, eps = 1.0e-5} : !graph.tensor<2x3x4xf32>
  %2:3 = graph._native_batch_norm_legit_no_training %x running_mean %m running_var %v {momentum = 0.1, eps = 1.0e-5}
    : !graph.tensor<2x3x4xf32>, !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @groups
// CHECK: graph.instance_norm
// CHECK: graph.group_norm %{{.*}} bias %{{.*}} : !graph.tensor<4xf32> {num_groups = 2 : i64}
// CHECK: graph.native_group_norm
// CHECK: graph.rms_norm %{{.*}} weight
func.func @groups(%x: !graph.tensor<2x4x3xf32>, %w: !graph.tensor<4xf32>, %r: !graph.tensor<3xf32>) -> !graph.tensor<2x2xf32> {
  %0 = graph.instance_norm %x {use_input_stats = true, momentum = 0.1, eps = 1.0e-5, cudnn_enabled = false} : !graph.tensor<2x4x3xf32>
  %1 = graph.group_norm %x bias %w : !graph.tensor<4xf32> {num_groups = 2} : !graph.tensor<2x4x3xf32>
  %2:3 = graph.native_group_norm %x {N = 2, C = 4, HxW = 3, group = 2, eps = 1.0e-5} : !graph.tensor<2x4x3xf32>
  %3 = graph.rms_norm %x weight %r : !graph.tensor<3xf32> {normalized_shape = array<i64: 3>} : !graph.tensor<2x4x3xf32>
  return %2#1 : !graph.tensor<2x2xf32>
}
