// Operators that draw from a generator keep their order, in control flow too: the same draws.
// RUN: terrace-check %s

func.func @"draws-keep-their-order"(%n: index, %x: !graph.tensor<2x3xf32>) -> (!graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>, !graph.tensor<3xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = graph.rand_like %x : !graph.tensor<2x3xf32>
  scf.for %i = %zero to %n step %one {
    %u = graph.normal_ %x {mean = 0.0 : f64, std = 1.0 : f64} : !graph.tensor<2x3xf32>
    %d = graph.dropout_ %r {p = 0.5 : f64, train = true} : !graph.tensor<2x3xf32>
  }
  %row = graph.select %r index [1] : !graph.tensor<2x3xf32>
  %v = graph.bernoulli_ %row {p = 0.5 : f64} : !graph.tensor<3xf32>
  %q = graph.randn [3] {dtype = f32}
  return %r, %x, %q : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>, !graph.tensor<3xf32>
}

func.func @"a-draw-that-nobody-looks-at"(%x: !graph.tensor<2x3xf32>) -> (!graph.tensor<2x3xf32>, !graph.tensor<2x3xi1>) {
  %0 = graph.rand [5] {dtype = f64}
  %1 = graph.randperm {n = 4 : i64}
  %2:2 = graph.native_dropout %x {p = 0.25 : f64, train = true} : !graph.tensor<2x3xf32>
  return %2#0, %2#1 : !graph.tensor<2x3xf32>, !graph.tensor<2x3xi1>
}

func.func @"draws-into-a-view"(%x: !graph.tensor<3x4xf32>) -> !graph.tensor<3x2xf32> {
  %0 = graph.slice %x start [0] end [4] step [2] {dim = 1 : i64} : !graph.tensor<3x4xf32>
  %1 = graph.uniform_ %0 {from = 1.0 : f64, to = 2.0 : f64} : !graph.tensor<3x2xf32>
  %2 = graph.dropout %0 {p = 0.5 : f64, train = true} : !graph.tensor<3x2xf32>
  return %2 : !graph.tensor<3x2xf32>
}
