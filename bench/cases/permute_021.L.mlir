// turned, and laid out so
func.func @main(%x: !graph.tensor<64x512x512xf32>) -> !graph.tensor<64x512x512xf32> {
  %0 = graph.permute %x {dims = array<i64: 0, 2, 1>} : !graph.tensor<64x512x512xf32>
  %1 = graph.contiguous %0 : !graph.tensor<64x512x512xf32>
  return %1 : !graph.tensor<64x512x512xf32>
}
