// rows of a table
func.func @main(%weight: !graph.tensor<50257x768xf32>, %indices: !graph.tensor<16384xi64>)
    -> !graph.tensor<16384x768xf32> {
  %rows = graph.embedding %weight, %indices : !graph.tensor<50257x768xf32>, !graph.tensor<16384xi64>
  return %rows : !graph.tensor<16384x768xf32>
}
