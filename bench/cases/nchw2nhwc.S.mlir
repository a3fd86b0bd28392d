// channels last, and laid out so
func.func @main(%x: !graph.tensor<1x64x32x32xf32>) -> !graph.tensor<1x32x32x64xf32> {
  %0 = graph.permute %x {dims = array<i64: 0, 2, 3, 1>} : !graph.tensor<1x64x32x32xf32>
  %1 = graph.contiguous %0 : !graph.tensor<1x32x32x64xf32>
  return %1 : !graph.tensor<1x32x32x64xf32>
}
