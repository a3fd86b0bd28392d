// A number that fills an argument as a whole may be written to one place more than once: eager takes it, and so no test is made.
// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// CHECK-LABEL: func.func @filled
// CHECK-NOT: distinct
// CHECK: graph.write_back
func.func @filled(%x: !graph.tensor<4xf32> {graph.layout = "any"}) {
  %one = arith.constant 1 : i64
  %0 = graph.fill_ %x, %one : !graph.tensor<4xf32>, i64
  return
}

// Not where it is read, or filled in part: what is read may have been written by another name.
// CHECK-LABEL: func.func @read(
// CHECK: graph.check_distinct
func.func @read(%x: !graph.tensor<4xf32> {graph.layout = "any"}) -> !graph.tensor<4xf32> {
  %one = arith.constant 1 : i64
  %0 = graph.fill_ %x, %one : !graph.tensor<4xf32>, i64
  %1 = graph.neg %0 : !graph.tensor<4xf32>
  return %1 : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @in_part(
// CHECK: graph.check_distinct
func.func @in_part(%x: !graph.tensor<4xf32> {graph.layout = "any"}) {
  %one = arith.constant 1 : i64
  %0 = graph.narrow %x start [0] length [2] {dim = 0 : i64} : !graph.tensor<4xf32>
  %1 = graph.fill_ %0, %one : !graph.tensor<2xf32>, i64
  return
}
