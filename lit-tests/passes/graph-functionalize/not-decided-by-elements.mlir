// Guards are tested where the function is called. What would have to be tested later is refused, and so is what leaves control flow
// with a size that is known only there.
// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

func.func @"not-reshaped-by-how-many-elements-there-are"(%x: !graph.tensor<?xf32>, %m: !graph.tensor<?xi1>) -> !graph.tensor<2x?xf32> {
  %y = graph.masked_select %x, %m : !graph.tensor<?xf32>, !graph.tensor<?xi1>
  // expected-error @+1 {{is another one for other sizes: here s2 == 2*(s2 floordiv 2), where s2 is known only when the program has run as far}}
  %z = graph.view %y size [2, -1] : !graph.tensor<?xf32>
  return %z : !graph.tensor<2x?xf32>
}

// -----

func.func @"not-out-of-control-flow"(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<?xf32> {
  // expected-error @+1 {{brings along a tensor of a size that is known only inside}}
  %r = scf.if %c -> (!graph.tensor<?xf32>) {
    %zero = arith.constant 0.0 : f64
    %m = graph.gt %x, %zero : !graph.tensor<4xf32>, f64
    %y = graph.masked_select %x, %m : !graph.tensor<4xf32>, !graph.tensor<4xi1>
    scf.yield %y : !graph.tensor<?xf32>
  } else {
    %zero = arith.constant 0.5 : f64
    %m = graph.gt %x, %zero : !graph.tensor<4xf32>, f64
    %y = graph.masked_select %x, %m : !graph.tensor<4xf32>, !graph.tensor<4xi1>
    scf.yield %y : !graph.tensor<?xf32>
  }
  return %r : !graph.tensor<?xf32>
}

// -----

func.func @"not-one-of-two-sizes"(%x: !graph.tensor<?xf32>, %m: !graph.tensor<?xi1>, %c: i1) -> !graph.tensor<?xf32> {
  %y = graph.masked_select %x, %m : !graph.tensor<?xf32>, !graph.tensor<?xi1>
  // expected-error @+1 {{brings along tensors of different sizes, s0 and s2}}
  %r = arith.select %c, %x, %y : !graph.tensor<?xf32>
  return %r : !graph.tensor<?xf32>
}
