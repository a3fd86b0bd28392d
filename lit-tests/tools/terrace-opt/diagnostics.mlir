// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @unknown_operation(%x: !graph.tensor<3xf32>) {
  // expected-error @below {{custom op 'graph.nothing' is unknown}}
  graph.nothing %x : !graph.tensor<3xf32>
}

// -----

func.func @too_few_operands(%x: !graph.tensor<3xf32>) {
  // expected-error @below {{op expected 2 or more operands, but found 1}}
  "graph.add"(%x) : (!graph.tensor<3xf32>) -> !graph.tensor<3xf32>
}

// -----

func.func @wrong_types(%x: tensor<3xf32>) {
  // expected-error @below {{op operand #0 must be graph tensor, but got 'tensor<3xf32>'}}
  %0 = "graph.exp"(%x) : (tensor<3xf32>) -> !graph.tensor<3xf32>
}
