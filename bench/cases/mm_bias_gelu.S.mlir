// gelu(x @ weight^T + bias)
func.func @main(%x: !graph.tensor<64x256xf32>, %weight: !graph.tensor<256x256xf32>, %bias: !graph.tensor<256xf32>)
    -> !graph.tensor<64x256xf32> {
  %0 = graph.linear %x, %weight bias %bias : !graph.tensor<64x256xf32>, !graph.tensor<256x256xf32>, !graph.tensor<256xf32>
  %1 = graph.gelu %0 : !graph.tensor<64x256xf32>
  return %1 : !graph.tensor<64x256xf32>
}
