// the sum of all
func.func @main(%x: !graph.tensor<256x256xf32>) -> !graph.tensor<f32> {
  %sum = graph.sum %x : !graph.tensor<256x256xf32>
  return %sum : !graph.tensor<f32>
}
