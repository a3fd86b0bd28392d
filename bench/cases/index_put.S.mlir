// rows put at indices
func.func @main(%into: !graph.tensor<1024x64xf32>, %indices: !graph.tensor<1024xi64>,
                %source: !graph.tensor<1024x64xf32>) -> !graph.tensor<1024x64xf32> {
  %new = graph.index_put %into[%indices], %source {present = array<i1: true>} : !graph.tensor<1024x64xf32>[!graph.tensor<1024xi64>], !graph.tensor<1024x64xf32>
  return %new : !graph.tensor<1024x64xf32>
}
