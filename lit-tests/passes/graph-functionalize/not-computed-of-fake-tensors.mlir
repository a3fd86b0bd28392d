// RUN: terrace-opt %s --graph-functionalize --verify-diagnostics

func.func @fake() -> !graph.tensor<3xf32> {
  // expected-error @below {{'graph.fake' op has no elements that could be computed: fake tensors are propagated only [not-compiled]}}
  %f = graph.fake [3] {dtype = f32}
  return %f : !graph.tensor<3xf32>
}
