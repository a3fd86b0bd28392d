// rows added at indices, some more than once
func.func @main(%into: !graph.tensor<50257x768xf32>, %indices: !graph.tensor<16384xi64>,
                %source: !graph.tensor<16384x768xf32>) -> !graph.tensor<50257x768xf32> {
  %sum = graph.index_add %into, %indices, %source {dim = 0} : !graph.tensor<50257x768xf32>, !graph.tensor<16384xi64>, !graph.tensor<16384x768xf32>
  return %sum : !graph.tensor<50257x768xf32>
}
