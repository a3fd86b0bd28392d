// RUN: terrace-opt %s --graph-structure --split-input-file --verify-diagnostics

// A caller relies on the schema: an argument without ! stays as it is.
func.func private @writes(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %k = arith.constant 1 : i64
  %v = graph.view %x size [3] : !graph.tensor<3xf32>
  %w = graph.add_ %v, %k : !graph.tensor<3xf32>, i64
  %y = graph.clone %x : !graph.tensor<3xf32>
  return %y : !graph.tensor<3xf32>
}
func.func @main(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  // expected-error @below {{'graph.custom' op has a body that may write 'x', which its schema does not mark with !}}
  %y = graph.custom @writes(%x) {schema = "(Tensor x) -> Tensor"} : (!graph.tensor<3xf32>) -> !graph.tensor<3xf32>
  return %y : !graph.tensor<3xf32>
}

// -----

// A result without a set of storages is a new tensor.
func.func private @gives(%x: !graph.tensor<3xf32>, %c: i1) -> !graph.tensor<3xf32> {
  %r = scf.if %c -> !graph.tensor<3xf32> {
    scf.yield %x : !graph.tensor<3xf32>
  } else {
    %n = graph.neg %x : !graph.tensor<3xf32>
    scf.yield %n : !graph.tensor<3xf32>
  }
  return %r : !graph.tensor<3xf32>
}
func.func @main(%x: !graph.tensor<3xf32>, %c: i1) -> !graph.tensor<3xf32> {
  // expected-error @below {{'graph.custom' op has a body whose result 0 may share the storage of 'x', but not in its schema}}
  %y = graph.custom @gives(%x, %c) {schema = "(Tensor x, bool c) -> Tensor"} : (!graph.tensor<3xf32>, i1) -> !graph.tensor<3xf32>
  return %y : !graph.tensor<3xf32>
}
