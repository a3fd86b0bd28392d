// RUN: terrace-opt %s --graph-functionalize --verify-diagnostics

// Eager takes it where the mask never holds, which is known at run time only.
func.func @f(%x: !graph.tensor<4xf32>, %m: !graph.tensor<4xi1>, %s: !graph.tensor<0xf32>) -> !graph.tensor<4xf32> {
  %c = graph.clone %x : !graph.tensor<4xf32>
  // expected-error @+1 {{takes elements of a source that has none: it could only be for a mask that never holds}}
  %1 = graph.masked_scatter_ %c, %m, %s : !graph.tensor<4xf32>, !graph.tensor<4xi1>, !graph.tensor<0xf32>
  return %c : !graph.tensor<4xf32>
}
