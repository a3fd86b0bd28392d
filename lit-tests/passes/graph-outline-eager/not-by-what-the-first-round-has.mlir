// What is known of tensors in a loop that the analysis leaves in its midst, for something on a way that is refused there, holds of the first rounds.
// RUN: terrace-opt %s --graph-outline-eager | FileCheck %s
// CHECK-LABEL: func.func @main(
// CHECK: scf.for
// CHECK: graph.check_view
func.func @main(%x: !graph.tensor<2x2xf32>, %never: i1) -> (!graph.tensor<2x2xf32>, !graph.tensor<4xf32>) attributes {graph.eager} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rounds = arith.constant 3 : index
  %flat = graph.view %x size [4] : !graph.tensor<2x2xf32>
  %r:2 = scf.for %i = %zero to %rounds step %one iter_args(%a = %x, %b = %flat) -> (!graph.tensor<2x2xf32>, !graph.tensor<4xf32>) {
    %t = graph.t %a : !graph.tensor<2x2xf32>
    %v = graph.reshape %t shape [4] : !graph.tensor<2x2xf32>
    %w = graph.neg_ %v : !graph.tensor<4xf32>
    scf.if %never {
      %s = graph.view %t size [4] : !graph.tensor<2x2xf32>
      %u = graph.neg_ %s : !graph.tensor<4xf32>
    }
    scf.yield %t, %w : !graph.tensor<2x2xf32>, !graph.tensor<4xf32>
  }
  return %r#0, %r#1 : !graph.tensor<2x2xf32>, !graph.tensor<4xf32>
}
