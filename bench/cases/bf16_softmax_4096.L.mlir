// softmax of the rows
func.func @main(%x: !graph.tensor<4096x4096xbf16>) -> !graph.tensor<4096x4096xbf16> {
  %probabilities = graph.softmax %x {dim = 1} : !graph.tensor<4096x4096xbf16>
  return %probabilities : !graph.tensor<4096x4096xbf16>
}
