// RUN: not terrace-check %s --pipeline='func.func(convert-arith-to-llvm)' --runs=1 --reduce > %t
// RUN: FileCheck %s --input-file %t

// The interpreter knows nothing of the operations that this pipeline leads to. What is told is the difference, inputs as plain as they
// get, and a program without what the difference does not need.
// CHECK: @differs: is refused after the passes only: 'llvm.add' op is not known to the interpreter
// CHECK: "data": [0.0, 0.0, 0.0, 0.0]
// CHECK: module {
// CHECK-NEXT: func.func @differs(%[[X:.*]]: !graph.tensor<3xf32>, %[[N:.*]]: i64) -> i64 {
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[N]], %[[N]] : i64
// CHECK-NEXT: return %[[S]] : i64
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK: @same: 1 calls do the same, 0 are refused
func.func @differs(%x: !graph.tensor<3xf32>, %n: i64) -> i64 {
  %y = graph.exp %x : !graph.tensor<3xf32>
  %w = graph.neg_ %y : !graph.tensor<3xf32>
  %s = arith.addi %n, %n : i64
  %z = graph.mul_ %x, %y : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return %s : i64
}

func.func @same(%x: !graph.tensor<3xf32>) {
  %y = graph.neg_ %x : !graph.tensor<3xf32>
  return
}
