// softmax of the rows
func.func @main(%x: !graph.tensor<16384x1024xf32>) -> !graph.tensor<16384x1024xf32> {
  %probabilities = graph.softmax %x {dim = 1} : !graph.tensor<16384x1024xf32>
  return %probabilities : !graph.tensor<16384x1024xf32>
}
