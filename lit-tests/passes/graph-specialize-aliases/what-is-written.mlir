// RUN: terrace-opt %s --graph-specialize-aliases | FileCheck %s

// Through views, in control flow, in what is called, by what a schema says: each function has a guard.

// CHECK-LABEL: func.func @views(
// CHECK: graph.check_disjoint
func.func @views(%x: !graph.tensor<4x4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %t = graph.t %x : !graph.tensor<4x4xf32>
  %s = graph.select %t index [1] : !graph.tensor<4x4xf32>
  %w = graph.relu_ %s : !graph.tensor<4xf32>
  %r = graph.neg %y : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @branch(
// CHECK: graph.check_disjoint %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
func.func @branch(%c: i1, %x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>, %z: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %b = scf.if %c -> (!graph.tensor<4xf32>) {
    scf.yield %x : !graph.tensor<4xf32>
  } else {
    scf.yield %y : !graph.tensor<4xf32>
  }
  %w = graph.relu_ %b : !graph.tensor<4xf32>
  %r = graph.neg %z : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}

// Buffers that swap: either is written.
// CHECK-LABEL: func.func @loop(
// CHECK: graph.check_disjoint %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
func.func @loop(%n: index, %x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>, %z: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) {
    %w = graph.relu_ %a : !graph.tensor<4xf32>
    scf.yield %b, %a : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  }
  %s = graph.neg %z : !graph.tensor<4xf32>
  return %s : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @blocks(
// CHECK: graph.check_disjoint
func.func @blocks(%c: i1, %x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  cf.cond_br %c, ^write(%x : !graph.tensor<4xf32>), ^end
^write(%a: !graph.tensor<4xf32>):
  %w = graph.relu_ %a : !graph.tensor<4xf32>
  cf.br ^end
^end:
  %r = graph.neg %y : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}

func.func private @callee(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %w = graph.relu_ %x : !graph.tensor<4xf32>
  return %w : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @caller(
// CHECK: graph.check_disjoint
func.func @caller(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %w = call @callee(%x) : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
  %r = graph.neg %y : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}

// Lists too. What an operator is given it may look at through the whole storage.
// CHECK-LABEL: func.func @schema(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<4xf32> {{[^%]*}}, %[[Y:[a-z0-9]+]]: !graph.tensor<4xf32> {{[^%]*}}, %[[Z:[a-z0-9]+]]:
// CHECK: graph.check_disjoint %[[X]], %[[Y]], %[[Z]] {storages, written = array<i1: false, true, false>}
func.func @schema(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>, %z: !graph.tensor<4xf32>) {
  graph.custom @mine::@write(%x, %y, %z) {schema = "(Tensor x, Tensor(a!)[] y, Tensor z) -> ()", segments = array<i64: 1>}
      : (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @"no schema"(
// CHECK: graph.check_disjoint %{{.*}}, %{{.*}} {storages}
func.func @"no schema"(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) {
  graph.custom @mine::@anything() : () -> ()
  return
}

// Running statistics.
// CHECK-LABEL: func.func @statistics(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<2x3xf32> {{[^%]*}}, %[[M:[a-z0-9]+]]: !graph.tensor<3xf32> {{[^%]*}}, %[[V:[a-z0-9]+]]:
// CHECK: graph.check_disjoint %[[X]], %[[M]], %[[V]] :
func.func @statistics(%x: !graph.tensor<2x3xf32>, %mean: !graph.tensor<3xf32>, %var: !graph.tensor<3xf32>) -> !graph.tensor<2x3xf32> {
  %r = graph.batch_norm %x running_mean %mean : !graph.tensor<3xf32> running_var %var : !graph.tensor<3xf32> {training = true, momentum = 0.1 : f64, eps = 1.0e-5 : f64, cudnn_enabled = false} : !graph.tensor<2x3xf32>
  return %r : !graph.tensor<2x3xf32>
}

// A transposed row is a row: one of size 1 is viewed here, any other is copied. Not taken for a copy, then.
// CHECK-LABEL: func.func @"not a copy that may be a view"(
// CHECK: graph.check_disjoint
func.func @"not a copy that may be a view"(%x: !graph.tensor<?x4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %all = arith.constant -1 : i64
  %t = graph.t %x : !graph.tensor<?x4xf32>
  %v = graph.reshape %t shape [%all] : !graph.tensor<4x?xf32>
  %w = graph.relu_ %v : !graph.tensor<?xf32>
  %r = graph.neg %y : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @"not a copy of such a copy"(
// CHECK: graph.check_disjoint
func.func @"not a copy of such a copy"(%x: !graph.tensor<?x4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %all = arith.constant -1 : i64
  %t = graph.t %x : !graph.tensor<?x4xf32>
  %v = graph.reshape %t shape [%all] : !graph.tensor<4x?xf32>
  %u = graph.view %v size [4, %all] : !graph.tensor<?xf32>
  %m = graph.t %u : !graph.tensor<4x?xf32>
  %n = graph.reshape %m shape [%all] : !graph.tensor<?x4xf32>
  %w = graph.relu_ %n : !graph.tensor<?xf32>
  %r = graph.neg %y : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}

func.func private @flat(%x: !graph.tensor<?x4xf32>) {
  %all = arith.constant -1 : i64
  %t = graph.t %x : !graph.tensor<?x4xf32>
  %v = graph.reshape %t shape [%all] : !graph.tensor<4x?xf32>
  %w = graph.relu_ %v : !graph.tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @"not such a copy in what is called"(
// CHECK: graph.check_disjoint
func.func @"not such a copy in what is called"(%x: !graph.tensor<?x4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  call @flat(%x) : (!graph.tensor<?x4xf32>) -> ()
  %r = graph.neg %y : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @"not a copy of one of the round before"(
// CHECK: graph.check_disjoint %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
func.func @"not a copy of one of the round before"(%n: index, %x: !graph.tensor<?x4xf32>, %y: !graph.tensor<?x4xf32>,
                                                   %z: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %all = arith.constant -1 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = scf.for %i = %c0 to %n step %c1 iter_args(%b = %y) -> (!graph.tensor<?x4xf32>) {
    %t = graph.t %b : !graph.tensor<?x4xf32>
    %v = graph.reshape %t shape [%all] : !graph.tensor<4x?xf32>
    %w = graph.relu_ %v : !graph.tensor<?xf32>
    %u = graph.t %x : !graph.tensor<?x4xf32>
    %m = graph.reshape %u shape [%all] : !graph.tensor<4x?xf32>
    %rows = graph.view %m size [%all, 4] : !graph.tensor<?xf32>
    scf.yield %rows : !graph.tensor<?x4xf32>
  }
  %r = graph.neg %z : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}
