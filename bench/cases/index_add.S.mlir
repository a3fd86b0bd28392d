// rows added at indices, some more than once
func.func @main(%into: !graph.tensor<1024x64xf32>, %indices: !graph.tensor<1024xi64>,
                %source: !graph.tensor<1024x64xf32>) -> !graph.tensor<1024x64xf32> {
  %sum = graph.index_add %into, %indices, %source {dim = 0} : !graph.tensor<1024x64xf32>, !graph.tensor<1024xi64>, !graph.tensor<1024x64xf32>
  return %sum : !graph.tensor<1024x64xf32>
}
