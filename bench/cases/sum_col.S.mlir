// the sum of each column
func.func @main(%x: !graph.tensor<256x256xf32>) -> !graph.tensor<256xf32> {
  %sum = graph.sum %x {dim = array<i64: 0>} : !graph.tensor<256x256xf32>
  return %sum : !graph.tensor<256xf32>
}
