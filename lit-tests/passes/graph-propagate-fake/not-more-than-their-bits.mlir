// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// Integers of fewer bits go round: what comes of them is a number of which nothing is known, and so is what is too large.
// CHECK-LABEL: func.func @narrow
// CHECK-SAME: graph.symbols = ["s0: computed by operation 1", "s1: computed by operation 5"]
func.func @narrow() {
  %a = arith.constant 127 : i8
  %b = arith.addi %a, %a : i8
  %c = arith.extsi %b : i8 to i64
  // CHECK: graph.zeros {{.*}}graph.fake = ["f32[s0]
  %0 = graph.zeros [%c] {dtype = f32}
  %large = arith.constant 9223372036854775807 : i64
  %more = arith.muli %large, %large : i64
  // CHECK: graph.zeros {{.*}}graph.fake = ["f32[s1]
  %1 = graph.zeros [%more] {dtype = f32}
  return
}
