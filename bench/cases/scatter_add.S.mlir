// sixteen numbers, more or less, added to each
func.func @main(%into: !graph.tensor<4096xf32>, %indices: !graph.tensor<65536xi64>, %source: !graph.tensor<65536xf32>)
    -> !graph.tensor<4096xf32> {
  %sum = graph.scatter_add %into, %indices, %source {dim = 0} : !graph.tensor<4096xf32>, !graph.tensor<65536xi64>, !graph.tensor<65536xf32>
  return %sum : !graph.tensor<4096xf32>
}
