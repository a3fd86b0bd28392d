// relu(sigmoid(gelu(x * scale + shift) * gain) + x) * 0.5 - shift; gelu is tanh's
func.func @main(%x: !graph.tensor<256x256xf32>, %scale: !graph.tensor<256xf32>, %shift: !graph.tensor<256xf32>,
                %gain: !graph.tensor<256x256xf32>) -> !graph.tensor<256x256xf32> {
  %half = arith.constant 0.5 : f64
  %0 = graph.mul %x, %scale : !graph.tensor<256x256xf32>, !graph.tensor<256xf32>
  %1 = graph.add %0, %shift : !graph.tensor<256x256xf32>, !graph.tensor<256xf32>
  %2 = graph.gelu %1 {approximate = "tanh"} : !graph.tensor<256x256xf32>
  %3 = graph.mul %2, %gain : !graph.tensor<256x256xf32>, !graph.tensor<256x256xf32>
  %4 = graph.sigmoid %3 : !graph.tensor<256x256xf32>
  %5 = graph.add %4, %x : !graph.tensor<256x256xf32>, !graph.tensor<256x256xf32>
  %6 = graph.relu %5 : !graph.tensor<256x256xf32>
  %7 = graph.mul %6, %half : !graph.tensor<256x256xf32>, f64
  %8 = graph.sub %7, %shift : !graph.tensor<256x256xf32>, !graph.tensor<256xf32>
  return %8 : !graph.tensor<256x256xf32>
}
