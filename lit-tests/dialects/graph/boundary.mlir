// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @storages
func.func @storages(%x: !graph.tensor<4x8xf32>, %y: !graph.tensor<8xf64>, %v: tensor<4x8xf32>) -> !graph.tensor<4x8xi1> {
  // CHECK: graph.new_storage [4, 8] like %{{.*}}, %{{.*}} {dtype = f32} : !graph.tensor<4x8xf32>, !graph.tensor<8xf64>
  %0 = graph.new_storage [4, 8] like %x, %y {dtype = f32} : !graph.tensor<4x8xf32>, !graph.tensor<8xf64>
  graph.write_back %v into %0 : tensor<4x8xf32>, !graph.tensor<4x8xf32>
  // CHECK: graph.new_storage [4, 8] like %{{.*}} {dtype = i1, preserve} : !graph.tensor<4x8xf32>
  %1 = graph.new_storage [4, 8] like %0 {dtype = i1, preserve} : !graph.tensor<4x8xf32>
  // CHECK: graph.new_storage [] {dtype = i64}
  %2 = graph.new_storage [] {dtype = i64}
  // CHECK: graph.assert_distinct %{{.*}} : !graph.tensor<4x8xf32>
  graph.assert_distinct %x : !graph.tensor<4x8xf32>
  return %1 : !graph.tensor<4x8xi1>
}
