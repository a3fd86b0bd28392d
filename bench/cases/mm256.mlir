// a @ b
func.func @main(%a: !graph.tensor<256x256xf32>, %b: !graph.tensor<256x256xf32>) -> !graph.tensor<256x256xf32> {
  %product = graph.matmul %a, %b : !graph.tensor<256x256xf32>, !graph.tensor<256x256xf32>
  return %product : !graph.tensor<256x256xf32>
}
