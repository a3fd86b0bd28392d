// a + b, one b for all rows
func.func @main(%a: !graph.tensor<256x256xf32>, %b: !graph.tensor<256xf32>) -> !graph.tensor<256x256xf32> {
  %sum = graph.add %a, %b : !graph.tensor<256x256xf32>, !graph.tensor<256xf32>
  return %sum : !graph.tensor<256x256xf32>
}
