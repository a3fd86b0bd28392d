// the sum of each row
func.func @main(%x: !graph.tensor<256x256xf32>) -> !graph.tensor<256xf32> {
  %sum = graph.sum %x {dim = array<i64: 1>} : !graph.tensor<256x256xf32>
  return %sum : !graph.tensor<256xf32>
}
