// an entry written into a cache, at a place that is an argument
func.func @main(%keys: !graph.tensor<1x12x2048x64xf32> {graph.storage = "keys"},
                %values: !graph.tensor<1x12x2048x64xf32> {graph.storage = "values"},
                %key: !graph.tensor<1x12x1x64xf32> {graph.storage = "key"},
                %value: !graph.tensor<1x12x1x64xf32> {graph.storage = "value"},
                %position: !graph.tensor<1xi64> {graph.storage = "position"})
    -> (!graph.tensor<1x12x2048x64xf32>, !graph.tensor<1x12x2048x64xf32>) {
  %0 = graph.index_copy_ %keys, %position, %key {dim = 2} : !graph.tensor<1x12x2048x64xf32>, !graph.tensor<1xi64>, !graph.tensor<1x12x1x64xf32>
  %1 = graph.index_copy_ %values, %position, %value {dim = 2} : !graph.tensor<1x12x2048x64xf32>, !graph.tensor<1xi64>, !graph.tensor<1x12x1x64xf32>
  return %keys, %values : !graph.tensor<1x12x2048x64xf32>, !graph.tensor<1x12x2048x64xf32>
}
