// Views at an index that is known when the program runs only, returned.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

func.func @"a-row-of-an-argument"(%x: !graph.tensor<3x4xf32>, %i: i64) -> (!graph.tensor<4xf32>, !graph.tensor<2xf32>) {
  %0 = graph.select %x index [%i] : !graph.tensor<3x4xf32>
  %1 = graph.neg_ %0 : !graph.tensor<4xf32>
  %2 = graph.slice %0 start [1] end [4] step [2] : !graph.tensor<4xf32>
  return %0, %2 : !graph.tensor<4xf32>, !graph.tensor<2xf32>
}
func.func @"a-window-of-a-window-of-a-new-tensor"(%x: !graph.tensor<3x4xf32>, %i: i64, %j: i64) -> (!graph.tensor<f32>, !graph.tensor<1x4xf32>, !graph.tensor<3x4xf32>) {
  %c = graph.exp %x : !graph.tensor<3x4xf32>
  %0 = graph.narrow %c start [%i] length [1] {dim = 0 : i64} : !graph.tensor<3x4xf32>
  %t = graph.t %0 : !graph.tensor<1x4xf32>
  %2 = graph.select %t index [%j] : !graph.tensor<4x1xf32>
  %3 = graph.squeeze %2 : !graph.tensor<1xf32>
  %4 = graph.neg_ %3 : !graph.tensor<f32>
  return %3, %0, %c : !graph.tensor<f32>, !graph.tensor<1x4xf32>, !graph.tensor<3x4xf32>
}
func.func @"only-returned"(%x: !graph.tensor<3x4xf32>, %i: i64) -> (!graph.tensor<4xf32>) {
  %0 = graph.select %x index [%i] : !graph.tensor<3x4xf32>
  return %0 : !graph.tensor<4xf32>
}
func.func @"as-parts"(%x: !graph.tensor<3xcomplex<f32>>, %i: i64) -> (!graph.tensor<f32>) {
  %r = graph.view_as_real %x : !graph.tensor<3xcomplex<f32>>
  %0 = graph.select %r index [%i] {dim = 1 : i64} : !graph.tensor<3x2xf32>
  %n = graph.select %0 index [%i] : !graph.tensor<3xf32>
  %w = graph.neg_ %n : !graph.tensor<f32>
  return %n : !graph.tensor<f32>
}

func.func @"in-another-dtype"(%x: !graph.tensor<2x3xi64>, %i: i64) -> !graph.tensor<3xf64> {
  %c = graph.clone %x : !graph.tensor<2x3xi64>
  %f = graph.view.dtype %c {dtype = f64} : !graph.tensor<2x3xi64>
  %0 = graph.select %f index [%i] : !graph.tensor<2x3xf64>
  return %0 : !graph.tensor<3xf64>
}

// Nothing of a row, read and written.
func.func @"nothing-of-it"(%x: !graph.tensor<2x3xf32>, %i: i64) -> !graph.tensor<0xf32> {
  %0 = graph.select %x index [%i] : !graph.tensor<2x3xf32>
  %row = graph.neg_ %0 : !graph.tensor<3xf32>
  %1 = graph.slice %0 start [1] end [1] step [1] : !graph.tensor<3xf32>
  %2 = graph.minimum %1, %1 : !graph.tensor<0xf32>, !graph.tensor<0xf32>
  %3 = graph.round_ %1 : !graph.tensor<0xf32>
  return %2 : !graph.tensor<0xf32>
}
