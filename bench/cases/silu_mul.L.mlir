// silu(gate) * up
func.func @main(%gate: !graph.tensor<4096x4096xf32>, %up: !graph.tensor<4096x4096xf32>)
    -> !graph.tensor<4096x4096xf32> {
  %0 = graph.silu %gate : !graph.tensor<4096x4096xf32>
  %1 = graph.mul %0, %up : !graph.tensor<4096x4096xf32>, !graph.tensor<4096x4096xf32>
  return %1 : !graph.tensor<4096x4096xf32>
}
