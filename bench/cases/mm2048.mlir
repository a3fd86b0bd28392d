// a @ b
func.func @main(%a: !graph.tensor<2048x2048xf32>, %b: !graph.tensor<2048x2048xf32>) -> !graph.tensor<2048x2048xf32> {
  %product = graph.matmul %a, %b : !graph.tensor<2048x2048xf32>, !graph.tensor<2048x2048xf32>
  return %product : !graph.tensor<2048x2048xf32>
}
