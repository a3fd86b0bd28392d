// x @ weight^T, one row
func.func @main(%x: !graph.tensor<1x4096xbf16>, %weight: !graph.tensor<4096x4096xbf16>) -> !graph.tensor<1x4096xbf16> {
  %product = graph.linear %x, %weight : !graph.tensor<1x4096xbf16>, !graph.tensor<4096x4096xbf16>
  return %product : !graph.tensor<1x4096xbf16>
}
