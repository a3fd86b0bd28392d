// gelu(x @ weight^T + bias)
func.func @main(%x: !graph.tensor<1024x1024xf32>, %weight: !graph.tensor<4096x1024xf32>,
                %bias: !graph.tensor<4096xf32>) -> !graph.tensor<1024x4096xf32> {
  %0 = graph.linear %x, %weight bias %bias : !graph.tensor<1024x1024xf32>, !graph.tensor<4096x1024xf32>, !graph.tensor<4096xf32>
  %1 = graph.gelu %0 : !graph.tensor<1024x4096xf32>
  return %1 : !graph.tensor<1024x4096xf32>
}
