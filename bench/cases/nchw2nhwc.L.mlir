// channels last, and laid out so
func.func @main(%x: !graph.tensor<16x64x128x128xf32>) -> !graph.tensor<16x128x128x64xf32> {
  %0 = graph.permute %x {dims = array<i64: 0, 2, 3, 1>} : !graph.tensor<16x64x128x128xf32>
  %1 = graph.contiguous %0 : !graph.tensor<16x128x128x64xf32>
  return %1 : !graph.tensor<16x128x128x64xf32>
}
