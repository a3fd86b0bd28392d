// RUN: terrace-opt %s --functional-reinplace --split-input-file | FileCheck %s

// A buffer that goes round in a loop is written in place, and so is what comes out of it; a scatter by the index of the turn too.
// CHECK-LABEL: func.func @loop(
func.func @loop(%x: tensor<4x4xf32> {functional.donated = 0 : i64}, %r: tensor<4xf32>, %n: index) -> tensor<4x4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> tensor<4x4xf32> {
    %k = arith.index_cast %i : index to i64
    // CHECK: functional.select_scatter {{.*}}functional.in_place = 0 : i64
    %1 = functional.select_scatter %a, %r index [%k] : tensor<4x4xf32>, tensor<4xf32>
    scf.yield %1 : tensor<4x4xf32>
  }
  // CHECK: functional.neg {{.*}}functional.in_place = 0 : i64
  %2 = functional.neg %0 : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

// Two buffers are exchanged in each turn.
// CHECK-LABEL: func.func @exchanged(
func.func @exchanged(%x: tensor<2xf32> {functional.donated = 0 : i64}, %y: tensor<2xf32> {functional.donated = 1 : i64}, %r: tensor<f32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0:2 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %y) -> (tensor<2xf32>, tensor<2xf32>) {
    // CHECK: functional.select_scatter {{.*}}functional.in_place = 0 : i64
    %1 = functional.select_scatter %a, %r index [0] : tensor<2xf32>, tensor<f32>
    scf.yield %b, %1 : tensor<2xf32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// One branch writes, the other hands on.
// CHECK-LABEL: func.func @branch(
func.func @branch(%x: tensor<2xf32> {functional.donated = 0 : i64}, %r: tensor<f32>, %c: i1) -> tensor<2xf32> {
  %0 = scf.if %c -> tensor<2xf32> {
    // CHECK: functional.select_scatter {{.*}}functional.in_place = 0 : i64
    %1 = functional.select_scatter %x, %r index [0] : tensor<2xf32>, tensor<f32>
    scf.yield %1 : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  // CHECK: functional.neg {{.*}}functional.in_place = 0 : i64
  %2 = functional.neg %0 : tensor<2xf32>
  return %2 : tensor<2xf32>
}

// -----

// One branch hands on what is read afterwards: what comes out of it is not written.
// CHECK-LABEL: func.func @branch_of_a_value_that_is_read(
// CHECK-NOT: functional.in_place
// CHECK: return
func.func @branch_of_a_value_that_is_read(%x: tensor<2xf32> {functional.donated = 0 : i64}, %y: tensor<2xf32>, %r: tensor<f32>, %c: i1) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = scf.if %c -> tensor<2xf32> {
    %1 = functional.select_scatter %y, %r index [0] : tensor<2xf32>, tensor<f32>
    scf.yield %1 : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  %2 = functional.neg %0 : tensor<2xf32>
  return %2, %x : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @while(
func.func @while(%x: tensor<2xf32> {functional.donated = 0 : i64}, %r: tensor<f32>, %c: i1) -> tensor<2xf32> {
  %0 = scf.while (%a = %x) : (tensor<2xf32>) -> tensor<2xf32> {
    // CHECK: functional.select_scatter {{.*}}functional.in_place = 0 : i64
    %1 = functional.select_scatter %a, %r index [0] : tensor<2xf32>, tensor<f32>
    scf.condition(%c) %1 : tensor<2xf32>
  } do {
  ^bb0(%b: tensor<2xf32>):
    // CHECK: functional.neg {{.*}}functional.in_place = 0 : i64
    %2 = functional.neg %b : tensor<2xf32>
    scf.yield %2 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// Each case of a switch makes a value of its own: what comes out of it is written in place.
// CHECK-LABEL: func.func @switch(
func.func @switch(%x: tensor<2xf32>, %i: index) -> tensor<2xf32> {
  %0 = scf.index_switch %i -> tensor<2xf32>
  case 0 {
    // CHECK: functional.neg %{{[^ ]*}} : tensor<2xf32>
    %1 = functional.neg %x : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  default {
    // CHECK: functional.exp %{{[^ ]*}} : tensor<2xf32>
    %1 = functional.exp %x : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  // CHECK: functional.abs {{.*}}functional.in_place = 0 : i64
  %2 = functional.abs %0 : tensor<2xf32>
  return %2 : tensor<2xf32>
}

// -----

// One case of a switch forwards an argument that is not given away: nothing is written in place.
// CHECK-LABEL: func.func @switch_that_forwards_an_argument(
// CHECK-NOT: functional.in_place
// CHECK: return
func.func @switch_that_forwards_an_argument(%x: tensor<2xf32>, %i: index) -> tensor<2xf32> {
  %0 = scf.index_switch %i -> tensor<2xf32>
  case 0 {
    %1 = functional.neg %x : tensor<2xf32>
    scf.yield %1 : tensor<2xf32>
  }
  default {
    scf.yield %x : tensor<2xf32>
  }
  %2 = functional.abs %0 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
