// softmax of the rows
func.func @main(%x: !graph.tensor<4096x4096xf32>) -> !graph.tensor<4096x4096xf32> {
  %probabilities = graph.softmax %x {dim = 1} : !graph.tensor<4096x4096xf32>
  return %probabilities : !graph.tensor<4096x4096xf32>
}
