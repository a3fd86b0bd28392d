// a + b^T
func.func @main(%a: !graph.tensor<256x256xf32>, %b: !graph.tensor<256x256xf32>) -> !graph.tensor<256x256xf32> {
  %turned = graph.t %b : !graph.tensor<256x256xf32>
  %sum = graph.add %a, %turned : !graph.tensor<256x256xf32>, !graph.tensor<256x256xf32>
  return %sum : !graph.tensor<256x256xf32>
}
