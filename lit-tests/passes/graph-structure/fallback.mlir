// RUN: terrace-opt %s --graph-structure=fallback=true | FileCheck %s
// RUN: terrace-opt %s --graph-structure | FileCheck %s --check-prefix=STRICT

// Why: functions of which types do not say all may run as they are written where no values can be made of their storages.
// STRICT-NOT: graph.fallback

// CHECK-LABEL: func.func @of_open_sizes({{.*}} attributes {graph.fallback}
func.func @of_open_sizes(%x: !graph.tensor<?xf32>) -> !graph.tensor<?xf32> {
  return %x : !graph.tensor<?xf32>
}

// CHECK-LABEL: func.func @of_open_strides({{.*}} attributes {graph.fallback}
func.func @of_open_strides(%x: !graph.tensor<4xf32> {graph.layout = strided<[?], offset: 0>}) -> !graph.tensor<4xf32> {
  return %x : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @of_a_number({{.*}} attributes {graph.fallback}
func.func @of_a_number(%x: !graph.tensor<4xf32>, %n: i64) -> !graph.tensor<4xf32> {
  return %x : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @of_storages_that_are_not_named({{.*}} attributes {graph.fallback}
func.func @of_storages_that_are_not_named(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  return %x : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @of_as_many_as_hold({{.*}} attributes {graph.fallback}
func.func @of_as_many_as_hold(%x: !graph.tensor<4xf32>) -> !graph.tensor<?x1xi64> {
  %0 = graph.nonzero %x : !graph.tensor<4xf32>
  return %0 : !graph.tensor<?x1xi64>
}

// Of this one all is said.
// CHECK-LABEL: func.func @"not-where-all-is-said"(
// CHECK-NOT: graph.fallback
func.func @"not-where-all-is-said"(%x: !graph.tensor<4xf32> {graph.storage = "x"}, %y: !graph.tensor<4xf32> {graph.storage = "y"}) -> !graph.tensor<4xf32> {
  return %x : !graph.tensor<4xf32>
}
