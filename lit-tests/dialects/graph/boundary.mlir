// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @storages
func.func @storages(%x: !graph.tensor<4x8xf32>, %v: tensor<4x8xf32>) -> !graph.tensor<4x8xf32> {
  // CHECK: %[[F:.*]] = graph.fresh %{{.*}} : tensor<4x8xf32>
  %0 = graph.fresh %v : tensor<4x8xf32>
  // CHECK: graph.write_back %{{.*}} into %{{.*}} : tensor<4x8xf32>, !graph.tensor<4x8xf32>
  graph.write_back %v into %x : tensor<4x8xf32>, !graph.tensor<4x8xf32>
  // CHECK: graph.assert_distinct %{{.*}} : !graph.tensor<4x8xf32>
  graph.assert_distinct %x : !graph.tensor<4x8xf32>
  return %0 : !graph.tensor<4x8xf32>
}
