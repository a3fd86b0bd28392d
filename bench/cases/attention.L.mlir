// softmax(q @ k^T / 8) @ v
func.func @main(%q: !graph.tensor<1x8x2048x64xf32>, %k: !graph.tensor<1x8x2048x64xf32>,
                %v: !graph.tensor<1x8x2048x64xf32>) -> !graph.tensor<1x8x2048x64xf32> {
  %scale = arith.constant 0.125 : f64
  %0 = graph.transpose %k {dim0 = -1, dim1 = -2} : !graph.tensor<1x8x2048x64xf32>
  %1 = graph.matmul %q, %0 : !graph.tensor<1x8x2048x64xf32>, !graph.tensor<1x8x64x2048xf32>
  %2 = graph.mul %1, %scale : !graph.tensor<1x8x2048x2048xf32>, f64
  %3 = graph.softmax %2 {dim = -1} : !graph.tensor<1x8x2048x2048xf32>
  %4 = graph.matmul %3, %v : !graph.tensor<1x8x2048x2048xf32>, !graph.tensor<1x8x2048x64xf32>
  return %4 : !graph.tensor<1x8x2048x64xf32>
}
