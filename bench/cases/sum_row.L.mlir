// the sum of each row
func.func @main(%x: !graph.tensor<4096x4096xf32>) -> !graph.tensor<4096xf32> {
  %sum = graph.sum %x {dim = array<i64: 1>} : !graph.tensor<4096x4096xf32>
  return %sum : !graph.tensor<4096xf32>
}
