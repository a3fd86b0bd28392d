// gelu by the error function
func.func @main(%x: !graph.tensor<256x256xf32>) -> !graph.tensor<256x256xf32> {
  %0 = graph.gelu %x : !graph.tensor<256x256xf32>
  return %0 : !graph.tensor<256x256xf32>
}
