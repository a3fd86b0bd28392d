// RUN: terrace-opt %s --pass-pipeline='builtin.module(func.func(graph-resolve-views))' --verify-diagnostics

func.func @f(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4x4xf32>) -> !graph.tensor<2xf32> {
  %t = graph.t %y : !graph.tensor<4x4xf32>
  // expected-error @+1 {{passed in tensor to be used as storage must be contiguous}}
  %0 = graph.set_ %x source %t : !graph.tensor<4x4xf32> {storage_offset = 3 : i64, size = array<i64: 2>, stride = array<i64: 1>} : !graph.tensor<4xf32>
  return %0 : !graph.tensor<2xf32>
}
