// softmax of the rows
func.func @main(%x: !graph.tensor<4x32000xf32>) -> !graph.tensor<4x32000xf32> {
  %probabilities = graph.softmax %x {dim = 1} : !graph.tensor<4x32000xf32>
  return %probabilities : !graph.tensor<4x32000xf32>
}
