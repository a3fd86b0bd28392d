// a @ b
func.func @main(%a: !graph.tensor<512x512xf32>, %b: !graph.tensor<512x512xf32>) -> !graph.tensor<512x512xf32> {
  %product = graph.matmul %a, %b : !graph.tensor<512x512xf32>, !graph.tensor<512x512xf32>
  return %product : !graph.tensor<512x512xf32>
}
