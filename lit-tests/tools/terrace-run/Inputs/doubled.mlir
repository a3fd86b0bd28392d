func.func @main(%x: !graph.tensor<128x256xf32>) -> !graph.tensor<128x256xf32> {
  %0 = graph.add_ %x, %x : !graph.tensor<128x256xf32>, !graph.tensor<128x256xf32>
  return %0 : !graph.tensor<128x256xf32>
}
