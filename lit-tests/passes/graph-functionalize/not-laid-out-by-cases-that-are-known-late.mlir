// How eager lays a tensor out can't be tested before a function is called where that depends on sizes which elements decide.
// RUN: terrace-opt %s --graph-functionalize --verify-diagnostics

// expected-error @+1 {{'func.func' op lies as tensors do of which too little is known when the function is called: take contiguous tensors, or declare graph.layout = strided<[...], offset: ...> on the arguments that they come from}}
func.func @masked(%x: !graph.tensor<8x4x2xf32> {graph.layout = "any"}, %m: !graph.tensor<8xi1>) -> !graph.tensor<?x4x2xf32> {
  %0 = graph.index %x[%m] {present = array<i1: true>} : !graph.tensor<8x4x2xf32>[!graph.tensor<8xi1>]
  return %0 : !graph.tensor<?x4x2xf32>
}
