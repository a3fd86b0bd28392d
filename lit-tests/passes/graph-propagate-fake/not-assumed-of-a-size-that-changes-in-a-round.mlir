// RUN: not terrace-opt %s --graph-propagate-fake 2>&1 | FileCheck %s

// In the first round %p has 3 columns, and the copy assumes that it has; in the second round it has one.
// CHECK: [[@LINE+5]]:{{[0-9]+}}: error: 'scf.while' op joins a size of which something else was assumed in a round before
func.func @shrinks(%x: !graph.tensor<3x3xf32> {graph.storage = "x"}, %n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %whole = graph.cast %x : !graph.tensor<3x3xf32> to !graph.tensor<3x?xf32>
  %0:2 = scf.while (%i = %zero, %p = %whole) : (i64, !graph.tensor<3x?xf32>) -> (i64, !graph.tensor<3x3xf32>) {
    %c = graph.copy %x, %p : !graph.tensor<3x3xf32>, !graph.tensor<3x?xf32>
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i, %c : i64, !graph.tensor<3x3xf32>
  } do {
  ^bb0(%i: i64, %c: !graph.tensor<3x3xf32>):
    %last = graph.slice %c start [-1] end [9223372036854775807] step [1] {dim = -1 : i64} : !graph.tensor<3x3xf32>
    %next = arith.addi %i, %one : i64
    %part = graph.cast %last : !graph.tensor<3x1xf32> to !graph.tensor<3x?xf32>
    scf.yield %next, %part : i64, !graph.tensor<3x?xf32>
  }
  return
}
