// Draws, orders and special functions of one argument: what is exact.
func.func @main(%x: !graph.tensor<4x6xf32>) -> (!graph.tensor<5x7xf32>, !graph.tensor<33xf64>, !graph.tensor<19xf16>, !graph.tensor<40xi64>,
    !graph.tensor<11xui8>, !graph.tensor<37xi64>, !graph.tensor<4x6xf32>, !graph.tensor<4x6xi1>, !graph.tensor<4x3xi64>, !graph.tensor<4x6xf32>,
    !graph.tensor<4x6xi64>, !graph.tensor<4x2xf32>, !graph.tensor<4x2xi64>, !graph.tensor<8xf32>, !graph.tensor<40xi64>) {
  %0 = graph.rand [5, 7] {dtype = f32}
  %1 = graph.rand [33] {dtype = f64}
  %u = graph.uniform_ %1 {from = -3.0 : f64, to = 5.0 : f64} : !graph.tensor<33xf64>
  %2 = graph.rand [19] {dtype = f16}
  %3 = graph.randint.low [40] {low = -1000 : i64, high = 1000000007 : i64}
  %4 = graph.randint [11] {high = 256 : i64, dtype = ui8}
  %5 = graph.randperm {n = 37 : i64}
  %6:2 = graph.native_dropout %x {p = 0.5 : f64, train = true} : !graph.tensor<4x6xf32>
  %7 = graph.abs %x : !graph.tensor<4x6xf32>
  %8 = graph.multinomial %7 {num_samples = 3 : i64, replacement = true} : !graph.tensor<4x6xf32>
  %9:2 = graph.sort %x {dim = 0 : i64, descending = true} : !graph.tensor<4x6xf32>
  %10:2 = graph.topk %x {k = 2 : i64} : !graph.tensor<4x6xf32>
  %11 = graph.histc %x {bins = 8 : i64} : !graph.tensor<4x6xf32>
  %12 = graph.gcd %3, %3 : !graph.tensor<40xi64>, !graph.tensor<40xi64>
  return %0, %1, %2, %3, %4, %5, %6#0, %6#1, %8, %9#0, %9#1, %10#0, %10#1, %11, %12 : !graph.tensor<5x7xf32>, !graph.tensor<33xf64>,
      !graph.tensor<19xf16>, !graph.tensor<40xi64>, !graph.tensor<11xui8>, !graph.tensor<37xi64>, !graph.tensor<4x6xf32>, !graph.tensor<4x6xi1>,
      !graph.tensor<4x3xi64>, !graph.tensor<4x6xf32>, !graph.tensor<4x6xi64>, !graph.tensor<4x2xf32>, !graph.tensor<4x2xi64>, !graph.tensor<8xf32>,
      !graph.tensor<40xi64>
}
