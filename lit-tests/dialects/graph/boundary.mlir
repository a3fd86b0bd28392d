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
  // CHECK: graph.fake_use %{{.*}}, %{{.*}} : !graph.tensor<4x8xi1>, !graph.tensor<i64>
  graph.fake_use %1, %2 : !graph.tensor<4x8xi1>, !graph.tensor<i64>
  return %1 : !graph.tensor<4x8xi1>
}

// CHECK-LABEL: func.func @told
func.func @told(%x: !graph.tensor<4xf32>) -> (i64, !graph.tensor<4xf32>) {
  %0:2 = func.call @told(%x) : (!graph.tensor<4xf32>) -> (i64, !graph.tensor<4xf32>)
  // CHECK: %[[CONJ:.*]], %[[NEG:.*]] = graph.told_flags %[[CALL:.*]]#1 result 1 : !graph.tensor<4xf32>
  %conj, %neg = graph.told_flags %0#1 result 1 : !graph.tensor<4xf32>
  // CHECK: graph.tell_flags %[[CONJ]], %[[NEG]] result 1
  graph.tell_flags %conj, %neg result 1
  return %0#0, %0#1 : i64, !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func private @passed
// CHECK-SAME: %[[X:.*]]: !graph.tensor<4xf32> {graph.passed_flags}
func.func private @passed(%x: !graph.tensor<4xf32> {graph.passed_flags}) attributes {graph.eager} {
  // CHECK: %[[CONJ:.*]], %[[NEG:.*]] = graph.passed_flags %[[X]] argument 0 : !graph.tensor<4xf32>
  %conj, %neg = graph.passed_flags %x argument 0 : !graph.tensor<4xf32>
  // CHECK: graph.pass_flags %[[CONJ]], %[[NEG]] argument 0
  graph.pass_flags %conj, %neg argument 0
  func.call @passed(%x) : (!graph.tensor<4xf32>) -> ()
  return
}
