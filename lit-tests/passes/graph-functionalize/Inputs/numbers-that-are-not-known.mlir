func.func @stride(%x: !graph.tensor<4x3xf32> {graph.layout = "any"}) -> i64 {
  %0 = graph.sym_stride %x {dim = 0 : i64} : !graph.tensor<4x3xf32>
  return %0 : i64
}
