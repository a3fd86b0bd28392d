// rows of a table
func.func @main(%weight: !graph.tensor<1024x64xf32>, %indices: !graph.tensor<1024xi64>) -> !graph.tensor<1024x64xf32> {
  %rows = graph.embedding %weight, %indices : !graph.tensor<1024x64xf32>, !graph.tensor<1024xi64>
  return %rows : !graph.tensor<1024x64xf32>
}
