// RUN: terrace-opt %s --graph-specialize-aliases | FileCheck %s
// Declared once, nothing is left to be tested.
// RUN: terrace-opt %s --graph-specialize-aliases > %t.mlir
// RUN: terrace-opt %t.mlir --graph-specialize-aliases | diff %t.mlir -

// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<4xf32> {graph.storage = "arg0"}, %[[Y:[a-z0-9]+]]: !graph.tensor<4xf32> {graph.storage = "arg1"}
// CHECK-NEXT: %[[D:.*]] = graph.check_disjoint %[[X]], %[[Y]] : !graph.tensor<4xf32>, !graph.tensor<4xf32>
// CHECK-NEXT: graph.guard %[[D]], "argument 0, which is written, shares no memory with argument 1"
// CHECK-NEXT: graph.add_ %[[X]], %[[Y]]
func.func @accumulate(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %w : !graph.tensor<4xf32>
}

// Names that are taken are left alone; an argument that declares its storage is tested beside those that do not.
// CHECK-LABEL: func.func @taken(
// CHECK-SAME: %{{.*}}: f64
// CHECK-SAME: {graph.layout = "any", graph.storage = "arg1"}
// CHECK-SAME: {graph.storage = "arg2_0"}
// CHECK-SAME: {graph.storage = "arg2"}
// CHECK: graph.check_disjoint %[[Z:.*]], %[[X:.*]], %[[Y:.*]] : !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>
// CHECK-NEXT: graph.guard %{{.*}}, "arguments 1, 3, which are written, share no memory with each other or argument 2"
func.func @taken(%k: f64, %x: !graph.tensor<4xf32> {graph.layout = "any"}, %y: !graph.tensor<4xf32>,
                 %z: !graph.tensor<4xf32> {graph.storage = "arg2"})
    -> (!graph.tensor<f32>, !graph.tensor<4xf32>, f64) {
  %w = graph.mul_ %x, %k : !graph.tensor<4xf32>, f64
  %v = graph.mul_ %z, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %s = graph.sum %y : !graph.tensor<4xf32>
  return %s, %x, %k : !graph.tensor<f32>, !graph.tensor<4xf32>, f64
}

// Those that declare one storage may share memory with each other; what is only read may overlap.
// CHECK-LABEL: func.func @sets(
// CHECK: graph.check_disjoint %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {sets = array<i64: 2, 1, 1>, written = array<i1: true, true, false, false>}
// CHECK-NEXT: graph.guard %{{.*}}, "arguments 0, 1, which are written, share no memory with each other or arguments 2, 3"
func.func @sets(%x: !graph.tensor<4xf32> {graph.storage = "s"}, %y: !graph.tensor<4xf32> {graph.storage = "s"}, %z: !graph.tensor<4xf32>, %w: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.add_ %x, %z : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %1 = graph.add %y, %w : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %1 : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @written_both(
// CHECK: graph.guard %{{.*}}, "arguments 0, 1, which are written, share no memory"
func.func @written_both(%x: !graph.tensor<4xf32>, %y: !graph.tensor<2xi64>) {
  %w = graph.zero_ %x : !graph.tensor<4xf32>
  %v = graph.zero_ %y : !graph.tensor<2xi64>
  return
}

// What the analysis does not follow may do anything: storages are compared.
func.func private @elsewhere(!graph.tensor<4xf32>)
// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT: graph.check_disjoint %{{.*}}, %{{.*}} {storages}
// CHECK-NEXT: graph.guard
func.func @unknown(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) {
  call @elsewhere(%x) : (!graph.tensor<4xf32>) -> ()
  return
}

// A module inside has functions of its own.
// CHECK: module @inside
module @inside {
  // CHECK-LABEL: func.func @accumulate(
  // CHECK: graph.guard
  func.func @accumulate(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) {
    %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
    return
  }
}
