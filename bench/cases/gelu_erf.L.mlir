// gelu by the error function
func.func @main(%x: !graph.tensor<4096x4096xf32>) -> !graph.tensor<4096x4096xf32> {
  %0 = graph.gelu %x : !graph.tensor<4096x4096xf32>
  return %0 : !graph.tensor<4096x4096xf32>
}
