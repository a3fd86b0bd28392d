// zeros(3, 3); a column written through a view; another view of the same storage read; both returned.
func.func @column(%v: f64) -> (!graph.tensor<3x3xf32>, !graph.tensor<2x3xf32>) {
  %k = arith.constant 10.0 : f64
  %z = graph.zeros [3, 3] {dtype = f32}
  %c = graph.select %z index [1] {dim = 1} : !graph.tensor<3x3xf32>
  %w = graph.fill_ %c, %v : !graph.tensor<3xf32>, f64
  %s = graph.slice %z start [1] end [3] step [1] : !graph.tensor<3x3xf32>
  %r = graph.mul %s, %k : !graph.tensor<2x3xf32>, f64
  return %z, %r : !graph.tensor<3x3xf32>, !graph.tensor<2x3xf32>
}

// x[1:].t()[0].mul_(2): the write reaches the caller's tensor through two views; the first column of x[1:] doubles.
func.func @transposed(%x: !graph.tensor<3x4xf32>) -> !graph.tensor<4x2xf32> {
  %two = arith.constant 2.0 : f64
  %s = graph.slice %x start [1] end [3] step [1] : !graph.tensor<3x4xf32>
  %t = graph.t %s : !graph.tensor<2x4xf32>
  %f = graph.select %t index [0] : !graph.tensor<4x2xf32>
  %w = graph.mul_ %f, %two : !graph.tensor<2xf32>, f64
  return %t : !graph.tensor<4x2xf32>
}
