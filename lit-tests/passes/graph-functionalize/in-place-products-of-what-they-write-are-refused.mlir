// RUN: terrace-opt %s --graph-functionalize --verify-diagnostics

func.func @own_factor(%a: !graph.tensor<3x3xf32> {graph.storage = "a"}) {
  // expected-error @+1 {{result depends on the order of evaluation: an operand overlaps a written-to tensor}}
  %0 = graph.addmm_ %a, %a, %a : !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>
  return
}
