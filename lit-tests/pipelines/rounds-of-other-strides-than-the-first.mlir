// The matrix is turned in each round: flat, it is a view in each second one, and a copy in the others.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "sizes": [2, 2]}, false]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<2x2xf32>, %never: i1) -> (!graph.tensor<2x2xf32>, !graph.tensor<4xf32>) {
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
