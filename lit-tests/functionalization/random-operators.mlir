// Operators that draw from a generator keep their order, in control flow too: the same draws.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

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

// Each operator that draws, in the dtypes that have a rounding of their own.
func.func @"every-operator-that-draws"(%p: !graph.tensor<2x3xf32> {graph.storage = "p"}, %w: !graph.tensor<2x4xf64> {graph.storage = "w"})
    -> (!graph.tensor<2x3xf32>, !graph.tensor<2x3xf16>, !graph.tensor<4xcomplex<f32>>, !graph.tensor<5xi64>, !graph.tensor<5xf16>, !graph.tensor<2x3xi32>,
        !graph.tensor<7xi64>, !graph.tensor<7xf32>, !graph.tensor<2x3xi64>, !graph.tensor<2x4xf64>, !graph.tensor<2x2xi64>, !graph.tensor<2x9xi64>) {
  %rand = graph.rand [2, 3] {dtype = f32}
  %like = graph.randn_like %p {dtype = f16} : !graph.tensor<2x3xf32>
  %complex = graph.randn [4] {dtype = complex<f32>}
  %u = graph.uniform_ %like {from = -1.0 : f64, to = 1.0 : f64} : !graph.tensor<2x3xf16>
  %integers = graph.randint [5] {high = 100 : i64}
  %halves = graph.randint.low [5] {low = -3000 : i64, high = 3000 : i64, dtype = f16}
  %as = graph.randint_like %p {high = 9 : i64, dtype = i32} : !graph.tensor<2x3xf32>
  %permutation = graph.randperm {n = 7 : i64}
  %floats = graph.randperm {n = 7 : i64, dtype = f32}
  %trials = graph.bernoulli.p %as {p = 0.25 : f64} : !graph.tensor<2x3xi32>
  %numbers = graph._to_copy %trials {dtype = i64} : !graph.tensor<2x3xi32>
  %half = graph.uniform_ %w {from = 0.0 : f64, to = 1.0 : f64} : !graph.tensor<2x4xf64>
  %likely = graph.bernoulli %w : !graph.tensor<2x4xf64>
  %once = graph.multinomial %w {num_samples = 2 : i64} : !graph.tensor<2x4xf64>
  %often = graph.multinomial %w {num_samples = 9 : i64, replacement = true} : !graph.tensor<2x4xf64>
  return %rand, %like, %complex, %integers, %halves, %as, %permutation, %floats, %numbers, %likely, %once, %often
    : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf16>, !graph.tensor<4xcomplex<f32>>, !graph.tensor<5xi64>, !graph.tensor<5xf16>, !graph.tensor<2x3xi32>,
      !graph.tensor<7xi64>, !graph.tensor<7xf32>, !graph.tensor<2x3xi64>, !graph.tensor<2x4xf64>, !graph.tensor<2x2xi64>, !graph.tensor<2x9xi64>
}

func.func @"a-branch-that-draws-moves-the-generator"(%c: i1, %x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  scf.if %c {
    %0 = graph.normal_ %x {mean = 0.0 : f64, std = 1.0 : f64} : !graph.tensor<4xf32>
    graph.skip_draws 3
  }
  %1 = graph.rand_like %x : !graph.tensor<4xf32>
  return %1 : !graph.tensor<4xf32>
}

// Draws again what was drawn.
func.func @"the-state-is-a-value"(%x: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>, i64) {
  graph.skip_draws 5
  %seed, %drawn = graph.generator_state
  %0 = graph.rand_like %x : !graph.tensor<4xf32>
  graph.set_generator_state %seed, %drawn
  %1 = graph.rand_like %x : !graph.tensor<4xf32>
  return %0, %1, %drawn : !graph.tensor<4xf32>, !graph.tensor<4xf32>, i64
}

// A call of what has no tensors may draw.
func.func private @draws() -> i64 {
  %0 = graph.randint [] {high = 1000 : i64}
  %1 = graph.item %0 : !graph.tensor<i64>
  return %1 : i64
}
func.func @"what-may-draw-finds-the-generator-up-to-date"(%x: !graph.tensor<4xf32>) -> (i64, !graph.tensor<4xf32>) {
  %0 = graph.rand_like %x : !graph.tensor<4xf32>
  %1 = func.call @draws() : () -> i64
  %2 = graph.rand_like %x : !graph.tensor<4xf32>
  %3 = graph.sub %2, %0 : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %1, %3 : i64, !graph.tensor<4xf32>
}

func.func @"dropout-of-every-kind"(%x: !graph.tensor<3x4xf32> {graph.storage = "x"}, %h: !graph.tensor<3x4xf16> {graph.storage = "h"}, %n: !graph.tensor<0x4xf32> {graph.storage = "n"})
    -> (!graph.tensor<3x4xf32>, !graph.tensor<3x4xi1>, !graph.tensor<3x4xf16>, !graph.tensor<3x4xi1>, !graph.tensor<0x4xf32>, !graph.tensor<0x4xi1>,
        !graph.tensor<3x4xf32>, !graph.tensor<3x4xf16>) {
  %0:2 = graph.native_dropout %x {p = 0.3 : f64, train = true} : !graph.tensor<3x4xf32>
  %1:2 = graph.native_dropout %h {p = 0.3 : f64, train = false} : !graph.tensor<3x4xf16>
  %2:2 = graph.native_dropout %n {p = 0.3 : f64, train = true} : !graph.tensor<0x4xf32>
  %3 = graph.dropout %x {p = 0.3 : f64, train = true} : !graph.tensor<3x4xf32>
  %4 = graph.dropout_ %h {p = 0.1 : f64, train = true} : !graph.tensor<3x4xf16>
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3, %4
    : !graph.tensor<3x4xf32>, !graph.tensor<3x4xi1>, !graph.tensor<3x4xf16>, !graph.tensor<3x4xi1>, !graph.tensor<0x4xf32>, !graph.tensor<0x4xi1>,
      !graph.tensor<3x4xf32>, !graph.tensor<3x4xf16>
}

// A conjugate sees what is drawn; its storage has the conjugates of that.
func.func @"draws-into-a-conjugate"(%x: !graph.tensor<3xcomplex<f32>>) -> !graph.tensor<3xcomplex<f32>> {
  %c = graph._conj %x : !graph.tensor<3xcomplex<f32>>
  %0 = graph.normal_ %c : !graph.tensor<3xcomplex<f32>>
  return %c : !graph.tensor<3xcomplex<f32>>
}
