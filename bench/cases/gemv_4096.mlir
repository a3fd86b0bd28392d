// x @ weight^T, one row
func.func @main(%x: !graph.tensor<1x4096xf32>, %weight: !graph.tensor<4096x4096xf32>) -> !graph.tensor<1x4096xf32> {
  %product = graph.linear %x, %weight : !graph.tensor<1x4096xf32>, !graph.tensor<4096x4096xf32>
  return %product : !graph.tensor<1x4096xf32>
}
