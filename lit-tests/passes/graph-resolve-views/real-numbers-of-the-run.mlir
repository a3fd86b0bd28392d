// RUN: terrace-opt %s --pass-pipeline="builtin.module(func.func(graph-resolve-views),graph-functionalize)" | FileCheck %s

// Why: how many real numbers half of the complex ones stand for is worked out when the program runs.
// CHECK-LABEL: func.func private @back.core
//       CHECK:   functional._fft_c2r %{{.*}} last_dim_size [%{{.*}}] {dim = array<i64: 0>, normalization = 2 : i64}
func.func @back(%x: !graph.tensor<?xcomplex<f32>>) -> !graph.tensor<?xf32> {
  %0 = graph.fft_irfft %x : !graph.tensor<?xcomplex<f32>>
  return %0 : !graph.tensor<?xf32>
}
