// batch norm by those of the batch
func.func @main(%x: !graph.tensor<16x64x128x128xf32>, %mean: !graph.tensor<64xf32>, %variance: !graph.tensor<64xf32>,
                %weight: !graph.tensor<64xf32>, %bias: !graph.tensor<64xf32>) -> !graph.tensor<16x64x128x128xf32> {
  %norm = graph.batch_norm %x weight %weight : !graph.tensor<64xf32> bias %bias : !graph.tensor<64xf32>
        {training = true, momentum = 0.1, eps = 1.0e-05, cudnn_enabled = false} : !graph.tensor<16x64x128x128xf32>
  return %norm : !graph.tensor<16x64x128x128xf32>
}
