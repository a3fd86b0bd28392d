// How many real numbers a transform comes to is an attribute.
// RUN: not terrace-opt %s --pass-pipeline='builtin.module(func.func(graph-resolve-views),graph-functionalize)' 2>&1 | FileCheck %s
// CHECK: error: 'graph.fft_irfft' op has as many real numbers as a size says that is known at run time only: give it as n, or in s
func.func @untold(%x: !graph.tensor<?xcomplex<f32>>) -> !graph.tensor<?xf32> {
  %0 = graph.fft_irfft %x : !graph.tensor<?xcomplex<f32>>
  return %0 : !graph.tensor<?xf32>
}
