// RUN: terrace-opt %s --graph-resolve-views --split-input-file --verify-diagnostics

func.func @dropout(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> {
  // expected-error @+1 {{'graph.dropout' op draws from a generator, which has no form as loops yet: it can be interpreted only}}
  %0 = graph.dropout %x {p = 0.5 : f64, train = true} : !graph.tensor<2xf32>
  return %0 : !graph.tensor<2xf32>
}
