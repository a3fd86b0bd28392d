// RUN: terrace-opt %s --graph-structure --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op has no name: a function is called by one}}
func.func @""(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  return %x : !graph.tensor<3xf32>
}

// -----

// expected-error @below {{'func.func' op has a name of the runtime's: expected one without terrace_rt_ in front}}
func.func @terrace_rt_alloc(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  return %x : !graph.tensor<3xf32>
}
