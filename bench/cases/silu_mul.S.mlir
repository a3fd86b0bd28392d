// silu(gate) * up
func.func @main(%gate: !graph.tensor<256x256xf32>, %up: !graph.tensor<256x256xf32>) -> !graph.tensor<256x256xf32> {
  %0 = graph.silu %gate : !graph.tensor<256x256xf32>
  %1 = graph.mul %0, %up : !graph.tensor<256x256xf32>, !graph.tensor<256x256xf32>
  return %1 : !graph.tensor<256x256xf32>
}
