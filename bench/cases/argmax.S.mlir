// where the largest of each row stands
func.func @main(%x: !graph.tensor<256x256xf32>) -> !graph.tensor<256xi64> {
  %at = graph.argmax %x {dim = 1} : !graph.tensor<256x256xf32>
  return %at : !graph.tensor<256xi64>
}
