// a + b, one number of b a row
func.func @main(%a: !graph.tensor<4096x4096xf32>, %b: !graph.tensor<4096x1xf32>) -> !graph.tensor<4096x4096xf32> {
  %sum = graph.add %a, %b : !graph.tensor<4096x4096xf32>, !graph.tensor<4096x1xf32>
  return %sum : !graph.tensor<4096x4096xf32>
}
