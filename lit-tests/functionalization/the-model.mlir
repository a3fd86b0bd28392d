// What a storage, a view and a mutation are: each function does the same before and after it is made pure.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

// A view reads the version that is current when it is used, through whatever chain of views.
func.func @"a-mutation-reaches-every-overlapping-alias"(%x: !graph.tensor<4x4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<4x4xf32>) {
  %two = arith.constant 2.0 : f64
  %diagonal = graph.diagonal %x : !graph.tensor<4x4xf32>
  %0 = graph.slice %x start [1] end [4] step [1] : !graph.tensor<4x4xf32>
  %1 = graph.t %0 : !graph.tensor<3x4xf32>
  %2 = graph.select %1 index [0] : !graph.tensor<4x3xf32>
  %3 = graph.mul_ %2, %two : !graph.tensor<3xf32>, f64
  %4 = graph.add %diagonal, %diagonal : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %4, %x : !graph.tensor<4xf32>, !graph.tensor<4x4xf32>
}

func.func @"a-value-that-was-read-before-a-write-stays"(%x: !graph.tensor<3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>, !graph.tensor<3xf32>) {
  %zero = arith.constant 0 : i64
  %o = graph.add %x, %zero : !graph.tensor<3xf32>, i64
  %copy = graph.clone %x : !graph.tensor<3xf32>
  %alias = graph.alias %x : !graph.tensor<3xf32>
  %n = graph.neg_ %x : !graph.tensor<3xf32>
  return %o, %copy, %alias : !graph.tensor<3xf32>, !graph.tensor<3xf32>, !graph.tensor<3xf32>
}

func.func @"an-alias-that-dies-leaves-its-mutation"(%x: !graph.tensor<3x2xf32>) {
  %one = arith.constant 1 : i64
  %first = graph.select %x index [0] : !graph.tensor<3x2xf32>
  %w = graph.add_ %first, %one : !graph.tensor<2xf32>, i64
  return
}

func.func @"what-is-written-is-cast-to-the-dtype"(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xi32>) -> (!graph.tensor<4xf32>, !graph.tensor<4xi32>) {
  %zero = arith.constant 0 : i64
  %c = graph.clone %x : !graph.tensor<4xf32>
  %w = graph.ge_ %c, %zero : !graph.tensor<4xf32>, i64
  %d = graph.clone %y : !graph.tensor<4xi32>
  %v = graph.copy_ %d, %x : !graph.tensor<4xi32>, !graph.tensor<4xf32>
  return %c, %d : !graph.tensor<4xf32>, !graph.tensor<4xi32>
}

func.func @"strides-decide-whether-a-reshape-aliases"(%a: !graph.tensor<2x3xf32>) -> (!graph.tensor<6xf32>, !graph.tensor<6xf32>) {
  %two = arith.constant 2.0 : f64
  %b = graph.clone %a : !graph.tensor<2x3xf32>
  %flat = graph.reshape %b shape [6] : !graph.tensor<2x3xf32>
  %v = graph.mul_ %flat, %two : !graph.tensor<6xf32>, f64
  %t = graph.t %b : !graph.tensor<2x3xf32>
  %copy = graph.reshape %t shape [6] : !graph.tensor<3x2xf32>
  %w = graph.mul_ %copy, %two : !graph.tensor<6xf32>, f64
  %same = graph.contiguous %b : !graph.tensor<2x3xf32>
  %u = graph.neg_ %same : !graph.tensor<2x3xf32>
  return %flat, %copy : !graph.tensor<6xf32>, !graph.tensor<6xf32>
}
