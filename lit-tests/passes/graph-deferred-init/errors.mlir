// RUN: terrace-opt --graph-deferred-init %s --split-input-file --verify-diagnostics

// expected-error@+1 {{would make @init.fake, which is there already}}
func.func @init() -> !graph.tensor<2xf32> {
  %0 = graph.zeros [2] {dtype = f32}
  return %0 : !graph.tensor<2xf32>
}
func.func private @init.fake()

// -----

func.func @again() -> !graph.tensor<2xf32> {
  // expected-error@+1 {{calls @again, which is being called: fake tensors pass through no recursion}}
  %0 = call @again() : () -> !graph.tensor<2xf32>
  return %0 : !graph.tensor<2xf32>
}

// -----

func.func private @other() -> !graph.tensor<2xf32>
func.func @init() -> !graph.tensor<2xf32> {
  // expected-error@+1 {{calls @other, of which nothing is known: it has no body here}}
  %0 = call @other() : () -> !graph.tensor<2xf32>
  return %0 : !graph.tensor<2xf32>
}

// -----

func.func @region(%n: index) -> !graph.tensor<2xf32> {
  // expected-error@+1 {{has a region: deferred initialization follows scf.if, scf.for, scf.while and scf.execute_region}}
  %t = tensor.generate %n {
  ^bb0(%i: index):
    %k = arith.constant 1.0 : f32
    tensor.yield %k : f32
  } : tensor<?xf32>
  %0 = graph.zeros [2] {dtype = f32}
  return %0 : !graph.tensor<2xf32>
}

// -----

func.func @by_elements(%x: !graph.tensor<4xf32>) -> !graph.tensor<2x?xf32> {
  %0 = graph.nonzero %x : !graph.tensor<4xf32>
  // expected-error@+1 {{which is not known when the function is called}}
  %1 = graph.view %0 size [2, -1] : !graph.tensor<?x1xi64>
  %2 = graph.zeros_like %1 {dtype = f32} : !graph.tensor<2x?xi64>
  return %2 : !graph.tensor<2x?xf32>
}
