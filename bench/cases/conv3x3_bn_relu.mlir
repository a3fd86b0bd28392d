// relu(batch norm(convolution)), as in inference
func.func @main(%x: !graph.tensor<4x64x56x56xf32>, %kernel: !graph.tensor<64x64x3x3xf32>,
                %mean: !graph.tensor<64xf32>, %variance: !graph.tensor<64xf32>, %weight: !graph.tensor<64xf32>,
                %bias: !graph.tensor<64xf32>) -> !graph.tensor<4x64x56x56xf32> {
  %0 = graph.conv2d %x, %kernel {padding = array<i64: 1, 1>} : !graph.tensor<4x64x56x56xf32>, !graph.tensor<64x64x3x3xf32>
  %1 = graph.batch_norm %0 weight %weight : !graph.tensor<64xf32> bias %bias : !graph.tensor<64xf32>
        running_mean %mean : !graph.tensor<64xf32> running_var %variance : !graph.tensor<64xf32> {training = false, momentum = 0.1, eps = 1.0e-05, cudnn_enabled = false} : !graph.tensor<4x64x56x56xf32>
  %2 = graph.relu %1 : !graph.tensor<4x64x56x56xf32>
  return %2 : !graph.tensor<4x64x56x56xf32>
}
