// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @views
func.func @views(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<1x3x2xf32> {
  // CHECK: %[[T:.*]] = graph.t_ %{{.*}} : !graph.tensor<2x3xf32>
  // CHECK: %[[U:.*]] = graph.unsqueeze_ %[[T]] {dim = 0 : i64} : !graph.tensor<3x2xf32>
  // CHECK: %[[D:.*]] = graph.detach_ %[[U]] : !graph.tensor<1x3x2xf32>
  // CHECK: return %[[D]] : !graph.tensor<1x3x2xf32>
  %0 = graph.t_ %x : !graph.tensor<2x3xf32>
  %1 = graph.unsqueeze_ %0 {dim = 0} : !graph.tensor<3x2xf32>
  %2 = graph.detach_ %1 : !graph.tensor<1x3x2xf32>
  return %2 : !graph.tensor<1x3x2xf32>
}

// CHECK-LABEL: func.func @others
func.func @others(%x: !graph.tensor<1x4xf32>, %y: !graph.tensor<3xf32>) {
  // CHECK: graph.squeeze_ %{{.*}} {dim = array<i64: 0>} : !graph.tensor<1x4xf32>
  // CHECK: graph.transpose_ %{{.*}} {dim0 = 0 : i64, dim1 = -1 : i64} : !graph.tensor<4xf32>
  // CHECK: graph.swapaxes_ %{{.*}} {axis0 = 0 : i64, axis1 = 0 : i64} : !graph.tensor<4xf32>
  // CHECK: graph.as_strided_ %{{.*}} size [2] stride [2] storage_offset [1] : !graph.tensor<4xf32>
  // CHECK: graph.resize_ %{{.*}} size [3, 2] : !graph.tensor<2xf32>
  // CHECK: graph.resize_as_ %{{.*}}, %{{.*}} : !graph.tensor<3x2xf32>, !graph.tensor<3xf32>
  // CHECK: graph.set_ %{{.*}} source %{{.*}} : !graph.tensor<3xf32> {size = array<i64: 2>, storage_offset = 1 : i64} : !graph.tensor<3xf32>
  // CHECK: graph.set_ %{{.*}} : !graph.tensor<2xf32>
  %0 = graph.squeeze_ %x {dim = array<i64: 0>} : !graph.tensor<1x4xf32>
  %1 = graph.transpose_ %0 {dim0 = 0, dim1 = -1} : !graph.tensor<4xf32>
  %2 = graph.swapaxes_ %1 {axis0 = 0, axis1 = 0} : !graph.tensor<4xf32>
  %3 = graph.as_strided_ %2 size [2] stride [2] storage_offset [1] : !graph.tensor<4xf32>
  %4 = graph.resize_ %3 size [3, 2] : !graph.tensor<2xf32>
  %5 = graph.resize_as_ %4, %y : !graph.tensor<3x2xf32>, !graph.tensor<3xf32>
  %6 = graph.set_ %5 source %y : !graph.tensor<3xf32> {storage_offset = 1 : i64, size = array<i64: 2>} : !graph.tensor<3xf32>
  %7 = graph.set_ %6 : !graph.tensor<2xf32>
  return
}

// Not taken out, and not twice: the tensor object is written.
// CHECK-LABEL: func.func @an_effect
// CHECK: graph.t_
func.func @an_effect(%x: !graph.tensor<2x3xf32>) {
  %0 = graph.t_ %x : !graph.tensor<2x3xf32>
  return
}
