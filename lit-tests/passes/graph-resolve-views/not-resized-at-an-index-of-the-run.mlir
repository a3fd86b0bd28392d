// RUN: terrace-opt %s --pass-pipeline="builtin.module(func.func(graph-resolve-views))" --verify-diagnostics

// Other sizes are a view of the storage from where the tensor begins, which nobody knows here.
func.func @resized(%x: !graph.tensor<3x2xf32>, %n: i64) -> !graph.tensor<1xf32> {
  %0 = graph.select %x index [%n] {dim = 0 : i64} : !graph.tensor<3x2xf32>
  // expected-error @+1 {{names places of a storage from an index that is known at run time only: copy it by graph.clone first}}
  %1 = graph.resize_ %0 size [1] : !graph.tensor<2xf32>
  return %1 : !graph.tensor<1xf32>
}
