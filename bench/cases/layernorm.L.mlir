// layer norm of the rows
func.func @main(%x: !graph.tensor<4096x4096xf32>, %weight: !graph.tensor<4096xf32>, %bias: !graph.tensor<4096xf32>)
    -> !graph.tensor<4096x4096xf32> {
  %norm = graph.layer_norm %x weight %weight : !graph.tensor<4096xf32> bias %bias : !graph.tensor<4096xf32> {normalized_shape = array<i64: 4096>} : !graph.tensor<4096x4096xf32>
  return %norm : !graph.tensor<4096x4096xf32>
}
