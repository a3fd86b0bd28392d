// variance and mean of each row
func.func @main(%x: !graph.tensor<4096x4096xf32>) -> (!graph.tensor<4096xf32>, !graph.tensor<4096xf32>) {
  %variance, %mean = graph.var_mean %x {dim = array<i64: 1>} : !graph.tensor<4096x4096xf32>
  return %variance, %mean : !graph.tensor<4096xf32>, !graph.tensor<4096xf32>
}
