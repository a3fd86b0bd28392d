// RUN: terrace-opt %s --graph-functionalize --verify-diagnostics

func.func @one_tensor(%x: !graph.tensor<2x3x4xf32>, %m: !graph.tensor<3xf32> {graph.storage = "m"}) -> !graph.tensor<2x3x4xf32> {
  // expected-error @+1 {{result depends on the order of evaluation: an operand overlaps a written-to tensor}}
  %0 = graph.batch_norm %x running_mean %m : !graph.tensor<3xf32> running_var %m : !graph.tensor<3xf32>
    {training = true, momentum = 0.1, eps = 1.0e-5, cudnn_enabled = false} : !graph.tensor<2x3x4xf32>
  return %0 : !graph.tensor<2x3x4xf32>
}
