// many small products
func.func @main(%a: !graph.tensor<512x32x64xf32>, %b: !graph.tensor<512x64x32xf32>) -> !graph.tensor<512x32x32xf32> {
  %product = graph.bmm %a, %b : !graph.tensor<512x32x64xf32>, !graph.tensor<512x64x32xf32>
  return %product : !graph.tensor<512x32x32xf32>
}
