// RUN: terrace-opt %s --graph-outline-eager --split-input-file | FileCheck %s

// Each element is read where it is written: eager's test, then a copy where the mask shares elements all the same.
// CHECK-LABEL: func.func @masked
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<3xf32>, %[[M:[a-z0-9]+]]: !graph.tensor<3xi1>
// CHECK: graph.assert_writable %[[X]], %[[M]] {compared = array<i1: true>, how = "each", places = array<i64: 1>}
// CHECK: %[[APART:.*]] = graph.check_disjoint %[[M]], %[[X]]
// CHECK: %[[OWN:.*]] = scf.if %[[APART]]
// CHECK: yield %[[M]]
// CHECK: func.call @masked.clone(%[[M]])
// CHECK: call @masked.masked_fill_(%[[X]], %[[OWN]])
// CHECK: return %[[X]]
// CHECK: func.func private @masked.masked_fill_
// CHECK-SAME: {graph.distinct, graph.storage = "s0"}
// CHECK-SAME: {graph.layout = "any", graph.storage = "s1"}
func.func @masked(%x: !graph.tensor<3xf32>, %m: !graph.tensor<3xi1>) -> !graph.tensor<3xf32> attributes {graph.eager} {
  %one = arith.constant 1 : i64
  %0 = graph.masked_fill_ %x, %m, %one : !graph.tensor<3xf32>, !graph.tensor<3xi1>, i64
  return %0 : !graph.tensor<3xf32>
}

// -----

// One tensor for both is one argument.
// CHECK-LABEL: func.func @doubled
// CHECK: graph.assert_writable %[[X:.*]], %[[X]] {compared = array<i1: true>, how = "each", looked_for, places = array<i64: 1>}
// CHECK-NOT: graph.check_disjoint
// CHECK: call @doubled.add_(%[[X]]) : (!graph.tensor<3xf32>) -> ()
func.func @doubled(%x: !graph.tensor<3xf32>) attributes {graph.eager} {
  %0 = graph.add_ %x, %x : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return
}

// -----

// At places that are known late nothing may be shared: no copies.
// CHECK-LABEL: func.func @at_places
// CHECK: graph.assert_writable %{{.*}}, %{{.*}}, %{{.*}} {compared = array<i1: true, true>, how = "apart", looked_for, places = array<i64: 1, 2>}
// CHECK-NEXT: call @at_places.index_add_
func.func @at_places(%x: !graph.tensor<3xf32>, %i: !graph.tensor<2xi64>, %s: !graph.tensor<2xf32>) attributes {graph.eager} {
  %0 = graph.index_add_ %x, %i, %s {dim = 0 : i64} : !graph.tensor<3xf32>, !graph.tensor<2xi64>, !graph.tensor<2xf32>
  return
}

// -----

// Onto itself nothing is copied, and nothing refused.
// CHECK-LABEL: func.func @copied
// CHECK: graph.assert_writable {{.*}} {compared = array<i1: true>, how = "each", looked_for, onto_itself, places = array<i64: 1>}
func.func @copied(%x: !graph.tensor<3xf32>, %y: !graph.tensor<3xf32>) attributes {graph.eager} {
  %0 = graph.copy_ %x, %y : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return
}

// -----

// A number may fill what repeats; a tensor that fills is read first.
// CHECK-LABEL: func.func @filled
// CHECK-NEXT: arith.constant
// CHECK-NEXT: call @filled.fill_
// CHECK-NEXT: graph.assert_writable %[[X:[a-z0-9]+]] {compared = array<i1>, how = "each", looked_for, places = array<i64>}
// CHECK-NEXT: graph.check_disjoint
func.func @filled(%x: !graph.tensor<3xf32>, %a: !graph.tensor<f32>) attributes {graph.eager} {
  %one = arith.constant 1 : i64
  %0 = graph.fill_ %x, %one : !graph.tensor<3xf32>, i64
  %1 = graph.fill_ %0, %a : !graph.tensor<3xf32>, !graph.tensor<f32>
  return
}

// -----

// What is written beside the results shares nothing with the rest, which eager does not look at.
// CHECK-LABEL: func.func @running
// CHECK: graph.assert_writable %[[MEAN:.*]], %[[X:.*]], %[[VAR:.*]] {{{.*}}how = "alone", places = array<i64: 0, 2>}
// CHECK: graph.assert_writable %[[VAR]], %[[X]], %[[MEAN]] {{{.*}}how = "alone", places = array<i64: 0, 1>}
// CHECK: call @running.instance_norm
func.func @running(%x: !graph.tensor<2x3x4xf32>, %mean: !graph.tensor<3xf32>, %var: !graph.tensor<3xf32>) -> !graph.tensor<2x3x4xf32> attributes {graph.eager} {
  %0 = graph.instance_norm %x running_mean %mean : !graph.tensor<3xf32> running_var %var : !graph.tensor<3xf32> {use_input_stats = true, momentum = 0.1 : f64, eps = 1.0e-5 : f64, cudnn_enabled = false} : !graph.tensor<2x3x4xf32>
  return %0 : !graph.tensor<2x3x4xf32>
}

// -----

// What repeats elements may be copied onto itself, and nothing else onto it.
// CHECK-LABEL: func.func @onto_itself
// CHECK: %[[SAME:.*]] = graph.check_same %[[X:[a-z0-9]+]], %[[Y:[a-z0-9]+]] :
// CHECK: %[[ELSEWHERE:.*]] = arith.xori %[[SAME]], %{{.*}} : i1
// CHECK: scf.if %[[ELSEWHERE]] {
// CHECK-NEXT: func.call @onto_itself.copy_(%[[X]]
func.func @onto_itself(%x: !graph.tensor<2x3xf32> {graph.layout = strided<[1, 0]>}, %y: !graph.tensor<2x3xf32> {graph.layout = strided<[1, 0]>}) attributes {graph.eager} {
  %0 = graph.copy_ %x, %y : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  return
}

// -----

// A type that leaves a size open may be the other one.
// CHECK-LABEL: func.func @onto_itself_by_its_sizes
// CHECK: graph.check_same %{{.*}}, %{{.*}} : !graph.tensor<?x3xf32>, !graph.tensor<2x3xf32>
// CHECK: scf.if
func.func @onto_itself_by_its_sizes(%x: !graph.tensor<?x3xf32> {graph.layout = strided<[1, 0]>}, %y: !graph.tensor<2x3xf32> {graph.layout = "any"}) attributes {graph.eager} {
  %0 = graph.copy_ %x, %y : !graph.tensor<?x3xf32>, !graph.tensor<2x3xf32>
  return
}

// -----

// Where a type leaves the size of what repeats open, there may be several.
// CHECK-LABEL: func.func @onto_itself_of_any_size
// CHECK: graph.check_same
// CHECK: scf.if
// CHECK: func.call @onto_itself_of_any_size.copy_
func.func @onto_itself_of_any_size(%x: !graph.tensor<?x2xf32> {graph.layout = strided<[0, 1]>}) attributes {graph.eager} {
  %0 = graph.view_as %x, %x : !graph.tensor<?x2xf32>, !graph.tensor<?x2xf32>
  %1 = graph.copy_ %x, %0 : !graph.tensor<?x2xf32>, !graph.tensor<?x2xf32>
  return
}

// Conjugates of it are no copy of it.
// CHECK-LABEL: func.func @"not-onto-itself-where-conjugates-are-copied"
// CHECK: graph.assert_writable {{.*}} {compared = array<i1: true>, how = "each", looked_for, places = array<i64: 1>}
// CHECK-NOT: graph.check_same
// CHECK: call @"not-onto-itself-where-conjugates-are-copied.copy_"
func.func @"not-onto-itself-where-conjugates-are-copied"(%x: !graph.tensor<2x3xcomplex<f32>> {graph.layout = strided<[1, 0]>}) attributes {graph.eager} {
  %0 = graph._conj %x : !graph.tensor<2x3xcomplex<f32>>
  %1 = graph.copy_ %x, %0 : !graph.tensor<2x3xcomplex<f32>>, !graph.tensor<2x3xcomplex<f32>>
  return
}

// -----

// Elements are read as they are seen.
// CHECK-LABEL: func.func @value_of_negatives
// CHECK: %[[COPY:.*]] = call @value_of_negatives.clone
// CHECK: call @value_of_negatives.value(%[[COPY]])
func.func @value_of_negatives(%x: !graph.tensor<3xf32>) -> tensor<3xf32> attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<3xf32>
  %1 = graph.value %0 : !graph.tensor<3xf32>
  return %1 : tensor<3xf32>
}
