// cross entropy
func.func @main(%x: !graph.tensor<256x256xf32>, %target: !graph.tensor<256xi64>) -> !graph.tensor<f32> {
  %loss = graph.cross_entropy_loss %x, %target : !graph.tensor<256x256xf32>, !graph.tensor<256xi64>
  return %loss : !graph.tensor<f32>
}
