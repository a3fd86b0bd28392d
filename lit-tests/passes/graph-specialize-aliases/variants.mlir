// RUN: terrace-opt %s --graph-specialize-aliases=variants=same-storage,same,disjoint --split-input-file | FileCheck %s
// RUN: terrace-opt %s --graph-specialize-aliases="variants=same,same-storage max-variants=1" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=FEWER

// One test for each way, those for all pairs first; where only two are the same, or in one storage, the rest is disjoint.
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<4xf32>, %[[Y:[a-z0-9]+]]: !graph.tensor<4xf32>, %[[Z:[a-z0-9]+]]: !graph.tensor<3xf32>
// CHECK: %[[ALL:.*]] = graph.check_disjoint %[[X]], %[[Y]], %[[Z]] {written = array<i1: true, false, false>}
// CHECK: scf.if %[[ALL]]
// CHECK: call @f.disjoint
// CHECK: %[[SAME:.*]] = graph.check_same %[[X]], %[[Y]]
// CHECK-NEXT: %[[REST:.*]] = graph.check_disjoint %[[X]], %[[Z]] :
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[SAME]], %[[REST]]
// CHECK-NEXT: scf.if %[[BOTH]]
// CHECK: call @f.same_0_1
// CHECK: %[[SHARED:.*]] = graph.check_same_storage %[[X]], %[[Z]]
// CHECK-NEXT: %[[OTHERS:.*]] = graph.check_disjoint %[[X]], %[[Y]] :
// CHECK-NEXT: arith.andi %[[SHARED]], %[[OTHERS]]
// CHECK: call @f.same_storage_0_2
// CHECK: call @f.general

// One argument for both.
// CHECK-LABEL: func.func private @f.same_0_1(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<4xf32> {graph.storage = "arg0"}
// CHECK-SAME: %{{[a-z0-9]+}}: !graph.tensor<4xf32>,
// CHECK-SAME: {graph.layout = strided<[1], offset: 1>, graph.storage = "arg2"}
// CHECK: graph.add_ %[[X]], %[[X]]

// One storage for both, as they declare to lie in it.
// CHECK-LABEL: func.func private @f.same_storage_0_2(
// CHECK-SAME: !graph.tensor<4xf32> {graph.storage = "arg0"}
// CHECK-SAME: !graph.tensor<4xf32> {graph.storage = "arg1"}
// CHECK-SAME: !graph.tensor<3xf32> {graph.layout = strided<[1], offset: 1>, graph.storage = "arg0"}

// FEWER-LABEL: func.func @f(
// FEWER-NOT: disjoint(
// FEWER: call @f.same_0_1
// FEWER-NOT: call @f.same_storage_0_2
// FEWER: call @f.general
func.func @f(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>,
             %z: !graph.tensor<3xf32> {graph.layout = strided<[1], offset: 1>}) -> !graph.tensor<f32> {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %s = graph.sum %z : !graph.tensor<3xf32>
  return %s : !graph.tensor<f32>
}

// -----

// The argument that declares a storage stands for both, and both lie in it. Declared ones are a set of their own.
// CHECK-LABEL: func.func @declared(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<4xf32>, %[[Y:[a-z0-9]+]]: {{.*}}, %[[Z:[a-z0-9]+]]: {{.*}}, %[[W:[a-z0-9]+]]:
// CHECK: graph.check_disjoint %[[X]], %[[Y]], %[[Z]], %[[W]] {sets = array<i64: 1, 3>} :
// CHECK: graph.check_same %[[X]], %[[Y]]
// CHECK-NOT: graph.check_disjoint
// CHECK: call @declared.same_0_1
// CHECK: graph.check_same_storage %[[X]], %[[Z]]
// CHECK-NOT: graph.check_disjoint
// CHECK: call @declared.same_storage_0_2
// CHECK: call @declared.general
// CHECK-LABEL: func.func private @declared.same_0_1(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<4xf32>, %[[Y:[a-z0-9]+]]: !graph.tensor<4xf32> {graph.storage = "s"}
// CHECK: graph.add_ %[[Y]], %[[Y]]
// CHECK-LABEL: func.func private @declared.same_storage_0_2(
// CHECK-SAME: !graph.tensor<4xf32> {graph.storage = "s"}
// CHECK-SAME: !graph.tensor<4xf32> {graph.storage = "s"}
func.func @declared(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32> {graph.storage = "s"},
                    %z: !graph.tensor<2xf32> {graph.storage = "s"}, %w: !graph.tensor<4xf64> {graph.storage = "t"}) {
  %0 = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %1 = graph.sum %z : !graph.tensor<2xf32>
  %2 = graph.sum %w : !graph.tensor<4xf64>
  return
}

// -----

// Where no variant can be had the function is the general one.
// FEWER-LABEL: func.func @none(
// FEWER-SAME: attributes {graph.eager}
// FEWER-NOT: graph.check
// FEWER: graph.add_
// FEWER-NOT: func.func private
func.func @none(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf64>) {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf64>
  return
}

// -----

// One view has one layout: what either declares of it.
// FEWER-LABEL: func.func @layout(
// CHECK-LABEL: func.func @layout(
// CHECK-LABEL: func.func private @layout.same_0_1(
// CHECK-SAME: !graph.tensor<2x2xf32> {graph.layout = strided<[1, 2]>, graph.storage = "s"}
func.func @layout(%x: !graph.tensor<2x2xf32> {graph.storage = "s", graph.layout = "any"},
                  %y: !graph.tensor<2x2xf32> {graph.layout = strided<[1, 2]>}) {
  %w = graph.add_ %x, %y : !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>
  return
}
