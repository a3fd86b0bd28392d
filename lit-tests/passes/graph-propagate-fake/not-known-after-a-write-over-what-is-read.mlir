// RUN: terrace-opt --graph-propagate-fake %s | FileCheck %s

// Eager refuses what reads and writes one place in two ways, when the program runs.
// CHECK-LABEL: @operands
func.func @operands() {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %u = graph.fresh %c : tensor<4xi64>
  %a = graph.as_strided %u size [3] stride [1] storage_offset [0] : !graph.tensor<4xi64>
  %b = graph.as_strided %u size [3] stride [1] storage_offset [1] : !graph.tensor<4xi64>
  %z = graph.add_ %b, %a : !graph.tensor<3xi64>, !graph.tensor<3xi64>
  %f = graph.select %u index [3] {dim = 0 : i64} : !graph.tensor<4xi64>
  // CHECK: graph.item {{.*}}graph.fake = ["s0"]
  %j = graph.item %f : !graph.tensor<i64>
  return
}

// CHECK-LABEL: @itself
func.func @itself() {
  %c = arith.constant dense<[1, 2, 3]> : tensor<3xi64>
  %t = graph.fresh %c : tensor<3xi64>
  %one = arith.constant 1 : i64
  %v = graph.as_strided %t size [2, 2] stride [1, 1] storage_offset [0] : !graph.tensor<3xi64>
  %w = graph.add_ %v, %one : !graph.tensor<2x2xi64>, i64
  %e = graph.select %t index [1] {dim = 0 : i64} : !graph.tensor<3xi64>
  // CHECK: graph.item {{.*}}graph.fake = ["s0"]
  %i = graph.item %e : !graph.tensor<i64>
  return
}
