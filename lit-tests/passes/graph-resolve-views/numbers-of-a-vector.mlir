// RUN: terrace-opt %s --graph-resolve-views --verify-diagnostics

func.func @numbers(%a: !graph.tensor<2xf32>, %k: !graph.tensor<1xf32>) {
  // expected-error @+1 {{takes numbers from a tensor when it runs, and has no form as loops yet: give them as a list}}
  graph._foreach_addcmul_.Tensor [%a], [%a], [%a], %k : [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], !graph.tensor<1xf32>
  return
}
