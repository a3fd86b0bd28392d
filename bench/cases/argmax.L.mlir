// where the largest of each row stands
func.func @main(%x: !graph.tensor<4096x4096xf32>) -> !graph.tensor<4096xi64> {
  %at = graph.argmax %x {dim = 1} : !graph.tensor<4096x4096xf32>
  return %at : !graph.tensor<4096xi64>
}
