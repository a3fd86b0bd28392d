// the sum of each column
func.func @main(%x: !graph.tensor<4096x4096xf32>) -> !graph.tensor<4096xf32> {
  %sum = graph.sum %x {dim = array<i64: 0>} : !graph.tensor<4096x4096xf32>
  return %sum : !graph.tensor<4096xf32>
}
