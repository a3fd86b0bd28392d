// layer norm of the rows of a sum, which is a result too
func.func @main(%x: !graph.tensor<256x256xf32>, %y: !graph.tensor<256x256xf32>, %weight: !graph.tensor<256xf32>,
                %bias: !graph.tensor<256xf32>) -> (!graph.tensor<256x256xf32>, !graph.tensor<256x256xf32>) {
  %sum = graph.add %x, %y : !graph.tensor<256x256xf32>, !graph.tensor<256x256xf32>
  %norm = graph.layer_norm %sum weight %weight : !graph.tensor<256xf32> bias %bias : !graph.tensor<256xf32> {normalized_shape = array<i64: 256>} : !graph.tensor<256x256xf32>
  return %sum, %norm : !graph.tensor<256x256xf32>, !graph.tensor<256x256xf32>
}
