// variance and mean of each row
func.func @main(%x: !graph.tensor<256x256xf32>) -> (!graph.tensor<256xf32>, !graph.tensor<256xf32>) {
  %variance, %mean = graph.var_mean %x {dim = array<i64: 1>} : !graph.tensor<256x256xf32>
  return %variance, %mean : !graph.tensor<256xf32>, !graph.tensor<256xf32>
}
