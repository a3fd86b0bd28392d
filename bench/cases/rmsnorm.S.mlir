// x * rsqrt(mean(x^2) + eps) * weight, by rows
func.func @main(%x: !graph.tensor<256x256xf32>, %weight: !graph.tensor<256xf32>) -> !graph.tensor<256x256xf32> {
  %eps = arith.constant 1.0e-05 : f64
  %0 = graph.mul %x, %x : !graph.tensor<256x256xf32>, !graph.tensor<256x256xf32>
  %1 = graph.mean %0 {dim = array<i64: 1>, keepdim = true} : !graph.tensor<256x256xf32>
  %2 = graph.add %1, %eps : !graph.tensor<256x1xf32>, f64
  %3 = graph.rsqrt %2 : !graph.tensor<256x1xf32>
  %4 = graph.mul %x, %3 : !graph.tensor<256x256xf32>, !graph.tensor<256x1xf32>
  %5 = graph.mul %4, %weight : !graph.tensor<256x256xf32>, !graph.tensor<256xf32>
  return %5 : !graph.tensor<256x256xf32>
}
