// RUN: terrace-opt %s | terrace-opt | FileCheck %s
// RUN: terrace-opt %s --cse | FileCheck %s --check-prefix=CSE

// CHECK-LABEL: func.func @checks(
// CHECK: graph.check_disjoint %{{.*}}, %{{.*}} : !graph.tensor<4xf32>, !graph.tensor<?xf64>
// CHECK: graph.check_disjoint %{{.*}}, %{{.*}}, %{{.*}} {sets = array<i64: 1, 2>, storages, written = array<i1: true, false, false>}
// CHECK: graph.check_same %{{.*}}, %{{.*}} : !graph.tensor<4xf32>, !graph.tensor<4xf32>
// CHECK: graph.check_same_storage %{{.*}}, %{{.*}} : !graph.tensor<4xf32>, !graph.tensor<?xf64>
// CHECK: graph.check_storage %{{.*}} bytes [28] : !graph.tensor<4xf32>
// CHECK: graph.guard %{{.*}}, "its storage has 28 bytes"
// CHECK: graph.assert_storage %{{.*}} bytes [%{{.*}}] : !graph.tensor<4xf32>
// CHECK: graph.check_disjoint

// They do not look at elements: a write between two of them changes nothing.
// CSE: graph.check_disjoint
// CSE: graph.check_disjoint
// CSE: graph.neg_
// CSE-NOT: graph.check_disjoint
func.func @checks(%x: !graph.tensor<4xf32>, %y: !graph.tensor<?xf64>, %n: i64) -> (i1, i1, i1, i1, i1, i1) {
  %0 = graph.check_disjoint %x, %y : !graph.tensor<4xf32>, !graph.tensor<?xf64>
  %1 = graph.check_disjoint %x, %y, %x {sets = array<i64: 1, 2>, storages, written = array<i1: true, false, false>}
      : !graph.tensor<4xf32>, !graph.tensor<?xf64>, !graph.tensor<4xf32>
  %2 = graph.check_same %x, %x : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %3 = graph.check_same_storage %x, %y : !graph.tensor<4xf32>, !graph.tensor<?xf64>
  %b = graph.check_storage %x bytes [28] : !graph.tensor<4xf32>
  graph.guard %b, "its storage has 28 bytes"
  graph.assert_storage %x bytes [%n] : !graph.tensor<4xf32>
  %w = graph.neg_ %x : !graph.tensor<4xf32>
  %4 = graph.check_disjoint %x, %y : !graph.tensor<4xf32>, !graph.tensor<?xf64>
  return %0, %1, %2, %3, %4, %b : i1, i1, i1, i1, i1, i1
}

// The size of a storage changes.
// CSE-LABEL: func.func @resized(
// CSE: graph.check_storage
// CSE: graph.resize_storage
// CSE: graph.check_storage
func.func @resized(%x: !graph.tensor<4xf32>) -> (i1, i1) {
  %0 = graph.check_storage %x bytes [28] : !graph.tensor<4xf32>
  graph.resize_storage %x bytes [28] {at_least} : !graph.tensor<4xf32>
  %1 = graph.check_storage %x bytes [28] : !graph.tensor<4xf32>
  return %0, %1 : i1, i1
}
