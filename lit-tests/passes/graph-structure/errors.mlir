// RUN: terrace-opt %s --graph-structure --split-input-file --verify-diagnostics

func.func @"not-what-calls-itself"(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{calls @not-what-calls-itself, which is being called: recursion on graph tensors is not supported; make it a loop of scf}}
  func.call @"not-what-calls-itself"(%x) : (!graph.tensor<4xf32>) -> ()
  return
}

// -----

func.func @first(%x: !graph.tensor<4xf32>) {
  func.call @second(%x) : (!graph.tensor<4xf32>) -> ()
  return
}
func.func @second(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{calls @first, which is being called: recursion}}
  func.call @first(%x) : (!graph.tensor<4xf32>) -> ()
  return
}

// -----

func.func private @declared(!graph.tensor<4xf32>)
func.func @"not-what-has-no-body"(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{calls @declared, which has no body: what it does to storages is not known; make it a graph.custom with a schema}}
  func.call @declared(%x) : (!graph.tensor<4xf32>) -> ()
  return
}
