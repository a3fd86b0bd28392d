// A tensor whose object was changed by a function that was called is used no longer, nor is one that a round before has changed.
// RUN: not terrace-run %s --entry=called --arg 2.0 --target=interpret 2>&1 | FileCheck %s --check-prefix=CALLED
// RUN: not terrace-run %s --entry=rounds --arg 2.0 --target=interpret 2>&1 | FileCheck %s --check-prefix=ROUNDS
func.func private @squeezes(%x: !graph.tensor<2x1xf32>) {
  %0 = graph.squeeze_ %x {dim = array<i64: 1>} : !graph.tensor<2x1xf32>
  return
}
// CALLED: error: 'graph.exp' op uses a tensor whose sizes, strides or storage 'graph.squeeze_' has changed: use its result
func.func @called(%k: f64) -> !graph.tensor<2x1xf32> {
  %x = graph.full [2, 1], %k {dtype = f32} : f64
  call @squeezes(%x) : (!graph.tensor<2x1xf32>) -> ()
  %0 = graph.exp %x : !graph.tensor<2x1xf32>
  return %0 : !graph.tensor<2x1xf32>
}
// ROUNDS: error: 'graph.t_' op uses a tensor whose sizes, strides or storage 'graph.t_' has changed: use its result
func.func @rounds(%k: f64) {
  %x = graph.full [2, 1], %k {dtype = f32} : f64
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  scf.for %i = %zero to %two step %one {
    %0 = graph.t_ %x : !graph.tensor<2x1xf32>
  }
  return
}
