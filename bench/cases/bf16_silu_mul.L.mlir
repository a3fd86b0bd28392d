// silu(gate) * up
func.func @main(%gate: !graph.tensor<4096x4096xbf16>, %up: !graph.tensor<4096x4096xbf16>)
    -> !graph.tensor<4096x4096xbf16> {
  %0 = graph.silu %gate : !graph.tensor<4096x4096xbf16>
  %1 = graph.mul %0, %up : !graph.tensor<4096x4096xbf16>, !graph.tensor<4096x4096xbf16>
  return %1 : !graph.tensor<4096x4096xbf16>
}
