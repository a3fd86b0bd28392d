// a @ b
func.func @main(%a: !graph.tensor<1024x1024xf32>, %b: !graph.tensor<1024x1024xf32>) -> !graph.tensor<1024x1024xf32> {
  %product = graph.matmul %a, %b : !graph.tensor<1024x1024xf32>, !graph.tensor<1024x1024xf32>
  return %product : !graph.tensor<1024x1024xf32>
}
