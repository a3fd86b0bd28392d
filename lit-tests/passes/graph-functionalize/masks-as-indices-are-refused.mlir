// A mask stands for the indices of its true elements, whose number only the run knows: also where another index makes the
// shape of the result static.
// RUN: terrace-opt %s --graph-functionalize -verify-diagnostics

func.func @f(%x: !graph.tensor<3x2x1xf32>, %i: !graph.tensor<2xi64>, %m: !graph.tensor<2x1xi1>) -> !graph.tensor<2xf32> {
  // expected-error @+1 {{indexes by a mask}}
  %0 = graph.index %x [%i, %m] {present = array<i1: true, true>} : !graph.tensor<3x2x1xf32> [!graph.tensor<2xi64>, !graph.tensor<2x1xi1>]
  return %0 : !graph.tensor<2xf32>
}
