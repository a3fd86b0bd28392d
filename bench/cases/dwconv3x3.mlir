// a convolution of each channel alone
func.func @main(%x: !graph.tensor<4x128x56x56xf32>, %kernel: !graph.tensor<128x1x3x3xf32>)
    -> !graph.tensor<4x128x56x56xf32> {
  %0 = graph.conv2d %x, %kernel {padding = array<i64: 1, 1>, groups = 128} : !graph.tensor<4x128x56x56xf32>, !graph.tensor<128x1x3x3xf32>
  return %0 : !graph.tensor<4x128x56x56xf32>
}
