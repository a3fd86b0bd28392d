// RUN: terrace-opt %s --pass-pipeline='builtin.module(func.func(convert-functional-to-loop))' | FileCheck %s

// The bounds of the slice are expressions of the same numbers: a slice of the run does not end before it starts.

// CHECK-LABEL: func.func @f
// CHECK: loop.pointwise
// CHECK: return %{{.*}} : tensor<2x?x1xf32>
func.func @f(%a: tensor<2x4xf32>, %start: i64, %end: i64, %step: i64) -> tensor<2x?x1xf32> {
  %c1 = arith.constant 1 : i64
  %minus = arith.constant -1 : i64
  %c4 = arith.constant 4 : i64
  %c-4 = arith.constant -4 : i64
  %round = arith.floordivsi %start, %c4 : i64
  %whole = arith.muli %round, %c-4 : i64
  %first = arith.addi %start, %whole : i64
  %next = arith.addi %start, %c1 : i64
  %before = arith.subi %minus, %start : i64
  %length = arith.addi %before, %end : i64
  %positive = arith.maxsi %step, %c1 : i64
  %steps = arith.floordivsi %length, %positive : i64
  %along = arith.muli %step, %steps : i64
  %last = arith.addi %next, %along : i64
  %behind = arith.addi %last, %whole : i64
  %0 = functional.slice %a start [%first] end [%behind] step [%step] {dim = 1 : i64} : tensor<2x4xf32>
  %1 = functional.unsqueeze %0 {dim = 2 : i64} : tensor<2x?xf32>
  return %1 : tensor<2x?x1xf32>
}
