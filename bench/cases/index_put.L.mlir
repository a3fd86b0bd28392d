// rows put at indices
func.func @main(%into: !graph.tensor<50257x768xf32>, %indices: !graph.tensor<16384xi64>,
                %source: !graph.tensor<16384x768xf32>) -> !graph.tensor<50257x768xf32> {
  %new = graph.index_put %into[%indices], %source {present = array<i1: true>} : !graph.tensor<50257x768xf32>[!graph.tensor<16384xi64>], !graph.tensor<16384x768xf32>
  return %new : !graph.tensor<50257x768xf32>
}
