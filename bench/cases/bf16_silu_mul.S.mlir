// silu(gate) * up
func.func @main(%gate: !graph.tensor<256x256xbf16>, %up: !graph.tensor<256x256xbf16>) -> !graph.tensor<256x256xbf16> {
  %0 = graph.silu %gate : !graph.tensor<256x256xbf16>
  %1 = graph.mul %0, %up : !graph.tensor<256x256xbf16>, !graph.tensor<256x256xbf16>
  return %1 : !graph.tensor<256x256xbf16>
}
