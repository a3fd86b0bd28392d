// x * 0.125 where the mask is on, elsewhere -1e9
func.func @main(%x: !graph.tensor<4096x4096xf32>, %mask: !graph.tensor<4096x4096xi1>) -> !graph.tensor<4096x4096xf32> {
  %eighth = arith.constant 0.125 : f64
  %low = arith.constant -1.0e+09 : f64
  %0 = graph.mul %x, %eighth : !graph.tensor<4096x4096xf32>, f64
  %1 = graph.where %mask, %0, %low : !graph.tensor<4096x4096xi1>, !graph.tensor<4096x4096xf32>, f64
  return %1 : !graph.tensor<4096x4096xf32>
}
