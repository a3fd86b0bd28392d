// a + b^T
func.func @main(%a: !graph.tensor<4096x4096xf32>, %b: !graph.tensor<4096x4096xf32>) -> !graph.tensor<4096x4096xf32> {
  %turned = graph.t %b : !graph.tensor<4096x4096xf32>
  %sum = graph.add %a, %turned : !graph.tensor<4096x4096xf32>, !graph.tensor<4096x4096xf32>
  return %sum : !graph.tensor<4096x4096xf32>
}
