// sixteen numbers, more or less, added to each
func.func @main(%into: !graph.tensor<262144xf32>, %indices: !graph.tensor<4194304xi64>,
                %source: !graph.tensor<4194304xf32>) -> !graph.tensor<262144xf32> {
  %sum = graph.scatter_add %into, %indices, %source {dim = 0} : !graph.tensor<262144xf32>, !graph.tensor<4194304xi64>, !graph.tensor<4194304xf32>
  return %sum : !graph.tensor<262144xf32>
}
