// x is scaled in place; the softmax of its rows and the sum of a column come back.
func.func @rows(%x: !graph.tensor<4x37xf32>, %k: f64) -> (!graph.tensor<4x37xf32>, !graph.tensor<4xf32>) {
  %scaled = graph.mul_ %x, %k : !graph.tensor<4x37xf32>, f64
  %p = graph.softmax %scaled {dim = -1} : !graph.tensor<4x37xf32>
  %s = graph.sum %scaled {dim = array<i64: 1>} : !graph.tensor<4x37xf32>
  return %p, %s : !graph.tensor<4x37xf32>, !graph.tensor<4xf32>
}
