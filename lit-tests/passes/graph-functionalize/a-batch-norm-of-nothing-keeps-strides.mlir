// RUN: terrace-check %s

func.func @f(%x: !graph.tensor<8x0xf32>) -> !graph.tensor<0x8xf32> {
  %t = graph.t %x : !graph.tensor<8x0xf32>
  %0 = graph.batch_norm %t {training = true, momentum = 0.5 : f64, eps = 0.5 : f64, cudnn_enabled = true} : !graph.tensor<0x8xf32>
  return %0 : !graph.tensor<0x8xf32>
}
