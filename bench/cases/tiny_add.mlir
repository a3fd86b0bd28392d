// a + b, next to no work
func.func @main(%a: !graph.tensor<64xf32>, %b: !graph.tensor<64xf32>) -> !graph.tensor<64xf32> {
  %sum = graph.add %a, %b : !graph.tensor<64xf32>, !graph.tensor<64xf32>
  return %sum : !graph.tensor<64xf32>
}
