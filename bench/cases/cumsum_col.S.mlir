// running sums along columns
func.func @main(%x: !graph.tensor<256x256xf32>) -> !graph.tensor<256x256xf32> {
  %sums = graph.cumsum %x {dim = 0} : !graph.tensor<256x256xf32>
  return %sums : !graph.tensor<256x256xf32>
}
