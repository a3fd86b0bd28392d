// RUN: terrace-opt %s --graph-functionalize --verify-diagnostics

// What a branch asks goes for all of the function, also where the branch is not taken.
func.func @in_a_branch(%x: !graph.tensor<5xf32> {graph.storage = "x"}, %c: i1) -> !graph.tensor<f32> {
  %k = arith.constant 0.0 : f64
  %m = graph.gt %x, %k : !graph.tensor<5xf32>, f64
  %a = graph.masked_select %x, %m : !graph.tensor<5xf32>, !graph.tensor<5xi1>
  %b = graph.masked_select %x, %m : !graph.tensor<5xf32>, !graph.tensor<5xi1>
  %r = scf.if %c -> !graph.tensor<f32> {
    // expected-error @below {{'graph.mul' op is another one for other sizes: here s0 == s1, where s0 is known only when the program has run as far [run-time-value]}}
    %p = graph.mul %a, %b : !graph.tensor<?xf32>, !graph.tensor<?xf32>
    %s = graph.sum %p : !graph.tensor<?xf32>
    scf.yield %s : !graph.tensor<f32>
  } else {
    %s = graph.sum %a : !graph.tensor<?xf32>
    scf.yield %s : !graph.tensor<f32>
  }
  return %r : !graph.tensor<f32>
}
