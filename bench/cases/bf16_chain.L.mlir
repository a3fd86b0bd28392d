// gelu(x * scale + 1) in f32 of x in bf16; gelu is tanh's
func.func @main(%x: !graph.tensor<4096x4096xbf16>, %scale: !graph.tensor<4096xf32>) -> !graph.tensor<4096x4096xf32> {
  %one = arith.constant 1.0 : f64
  %0 = graph.to %x {dtype = f32} : !graph.tensor<4096x4096xbf16>
  %1 = graph.mul %0, %scale : !graph.tensor<4096x4096xf32>, !graph.tensor<4096xf32>
  %2 = graph.add %1, %one : !graph.tensor<4096x4096xf32>, f64
  %3 = graph.gelu %2 {approximate = "tanh"} : !graph.tensor<4096x4096xf32>
  return %3 : !graph.tensor<4096x4096xf32>
}
