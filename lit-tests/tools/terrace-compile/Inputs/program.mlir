// x is scaled in place; the softmax of its rows and the sum of a column come back.
func.func @rows(%x: !graph.tensor<4x37xf32>, %k: f64) -> (!graph.tensor<4x37xf32>, !graph.tensor<4xf32>) {
  %scaled = graph.mul_ %x, %k : !graph.tensor<4x37xf32>, f64
  %p = graph.softmax %scaled {dim = -1} : !graph.tensor<4x37xf32>
  %s = graph.sum %scaled {dim = array<i64: 1>} : !graph.tensor<4x37xf32>
  return %p, %s : !graph.tensor<4x37xf32>, !graph.tensor<4xf32>
}
// y may lie anyhow in memory; its double comes back, row by row.
func.func @anyhow(%y: !graph.tensor<37x4xf32> {graph.layout = "any"}) -> !graph.tensor<37x4xf32> {
  %two = graph.add %y, %y : !graph.tensor<37x4xf32>, !graph.tensor<37x4xf32>
  %rows = graph.clone %two {memory_format = "contiguous_format"} : !graph.tensor<37x4xf32>
  return %rows : !graph.tensor<37x4xf32>
}
// A row of x, which is not there for every index.
func.func @row(%x: !graph.tensor<4x37xf32>, %i: !graph.tensor<1xi64>) -> !graph.tensor<1x37xf32> {
  %row = graph.index_select %x, %i {dim = 0} : !graph.tensor<4x37xf32>, !graph.tensor<1xi64>
  return %row : !graph.tensor<1x37xf32>
}
