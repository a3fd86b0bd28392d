// An argument of strides that are not known is asserted to repeat no elements only where eager refuses the function for sure if it does; else a guard asks.
// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// Written as a whole, whatever else is done.
// CHECK-LABEL: func.func @whole(
// CHECK-NEXT: graph.assert_distinct %{{.*}}
// CHECK-NOT: graph.check_distinct
func.func @whole(%x: !graph.tensor<4xf32> {graph.layout = "any"}) {
  %0 = graph.select %x index [0] : !graph.tensor<4xf32>
  %1 = graph.relu_ %0 : !graph.tensor<f32>
  %2 = graph.neg_ %x : !graph.tensor<4xf32>
  return
}

// A part may have places of its own.
// CHECK-LABEL: func.func @"in-part"(
// CHECK: graph.check_distinct
func.func @"in-part"(%x: !graph.tensor<4x3xf32> {graph.layout = "any"}) {
  %0 = graph.select %x index [0] : !graph.tensor<4x3xf32>
  %1 = graph.relu_ %0 : !graph.tensor<3xf32>
  return
}

// What is not written is not refused.
// CHECK-LABEL: func.func @"on-a-way"(
// CHECK: graph.check_distinct
func.func @"on-a-way"(%x: !graph.tensor<4xf32> {graph.layout = "any"}, %c: i1) {
  scf.if %c {
    %0 = graph.neg_ %x : !graph.tensor<4xf32>
  }
  return
}

// One of two tensors, either of which may be the other.
// CHECK-LABEL: func.func @"one-of-several"(
// CHECK-DAG: graph.check_distinct %[[X:[a-z0-9]+]]
// CHECK-DAG: graph.check_distinct %[[Y:[a-z0-9]+]]
func.func @"one-of-several"(%x: !graph.tensor<4xf32> {graph.layout = "any", graph.storage = "x"},
    %y: !graph.tensor<4xf32> {graph.layout = "any", graph.storage = "y"}, %c: i1) {
  %0 = scf.if %c -> !graph.tensor<4xf32> {
    scf.yield %x : !graph.tensor<4xf32>
  } else {
    scf.yield %y : !graph.tensor<4xf32>
  }
  %1 = graph.neg_ %0 : !graph.tensor<4xf32>
  return
}

// A tensor may be copied onto itself: as one of several, or seen in another way.
// CHECK-LABEL: func.func @copied(
// CHECK: graph.check_distinct
func.func @copied(%x: !graph.tensor<4xf32> {graph.layout = "any", graph.storage = "x"}, %y: !graph.tensor<4xf32> {graph.storage = "y"}, %c: i1) {
  %0 = scf.if %c -> !graph.tensor<4xf32> {
    scf.yield %y : !graph.tensor<4xf32>
  } else {
    scf.yield %x : !graph.tensor<4xf32>
  }
  %1 = graph.copy_ %x, %0 : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @conjugates(
// CHECK: graph.check_distinct
func.func @conjugates(%x: !graph.tensor<4xcomplex<f32>> {graph.layout = "any"}) {
  %0 = graph._conj %x : !graph.tensor<4xcomplex<f32>>
  %1 = graph.copy_ %x, %0 : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @"copied-from-elsewhere"(
// CHECK-NEXT: graph.assert_distinct
func.func @"copied-from-elsewhere"(%x: !graph.tensor<4xf32> {graph.layout = "any", graph.storage = "x"}, %y: !graph.tensor<4xf32> {graph.storage = "y"}) {
  %0 = graph.copy_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// Filled with a number, then read.
// CHECK-LABEL: func.func @filled(
// CHECK: graph.check_distinct
func.func @filled(%x: !graph.tensor<4xf32> {graph.layout = "any"}) -> !graph.tensor<4xf32> {
  %one = arith.constant 1 : i64
  %0 = graph.fill_ %x, %one : !graph.tensor<4xf32>, i64
  %1 = graph.neg %0 : !graph.tensor<4xf32>
  return %1 : !graph.tensor<4xf32>
}

// Refused in other words than where a stride of 0 is looked for.
// CHECK-LABEL: func.func @"not-looked-for"(
// CHECK: graph.check_distinct
func.func @"not-looked-for"(%x: !graph.tensor<4x4xf32> {graph.layout = "any"}) {
  %0 = graph.triu_ %x {diagonal = 0 : i64} : !graph.tensor<4x4xf32>
  return
}
