// cross entropy
func.func @main(%x: !graph.tensor<4096x4096xf32>, %target: !graph.tensor<4096xi64>) -> !graph.tensor<f32> {
  %loss = graph.cross_entropy_loss %x, %target : !graph.tensor<4096x4096xf32>, !graph.tensor<4096xi64>
  return %loss : !graph.tensor<f32>
}
