// A feed-forward block as a person writes it: a residual is added in place, and nothing says how to compute it.
func.func @mlp(%x: !graph.tensor<128x256xf32>, %w1: !graph.tensor<1024x256xf32>, %b1: !graph.tensor<1024xf32>,
               %residual: !graph.tensor<128x1024xf32>, %gain: !graph.tensor<1024xf32>, %shift: !graph.tensor<1024xf32>,
               %w2: !graph.tensor<256x1024xf32>, %b2: !graph.tensor<256xf32>) -> !graph.tensor<128x256xf32> {
  %h = graph.linear %x, %w1 bias %b1 : !graph.tensor<128x256xf32>, !graph.tensor<1024x256xf32>, !graph.tensor<1024xf32>
  %g = graph.gelu %h : !graph.tensor<128x1024xf32>
  %r = graph.add_ %g, %residual : !graph.tensor<128x1024xf32>, !graph.tensor<128x1024xf32>
  %n = graph.layer_norm %r weight %gain : !graph.tensor<1024xf32> bias %shift : !graph.tensor<1024xf32> {normalized_shape = array<i64: 1024>} : !graph.tensor<128x1024xf32>
  %o = graph.linear %n, %w2 bias %b2 : !graph.tensor<128x1024xf32>, !graph.tensor<256x1024xf32>, !graph.tensor<256xf32>
  %p = graph.softmax %o {dim = -1} : !graph.tensor<128x256xf32>
  return %p : !graph.tensor<128x256xf32>
}
