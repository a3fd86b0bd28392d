func.func @softmax(%x: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  %p0 = tensor.empty() : tensor<64x4096xf32>
  %probs = loop.group @softmax (%i = 64) into (%p0 as %p : tensor<64x4096xf32>) {
    %max = loop.reduction max over (%j = 4096) {
      %a = loop.load %x[%i, %j] : tensor<64x4096xf32>
      loop.yield %a : f32
    } : f32
    %exp = loop.pointwise (%j = 4096) {
      %a = loop.load %x[%i, %j] : tensor<64x4096xf32>
      %d = arith.subf %a, %max : f32
      %e = math.exp %d : f32
      loop.yield %e : f32
    } : tensor<4096xf32>
    %sum = loop.reduction add over (%j = 4096) {
      %e = loop.load %exp[%j] : tensor<4096xf32>
      loop.yield %e : f32
    } : f32
    %out = loop.pointwise (%j = 4096) {
      %e = loop.load %exp[%j] : tensor<4096xf32>
      %q = arith.divf %e, %sum : f32
      loop.yield %q : f32
    } : tensor<4096xf32>
    loop.in_parallel {
      loop.insert %out into %p at [%i, :] : tensor<4096xf32> into tensor<64x4096xf32>
    }
  }
  return %probs : tensor<64x4096xf32>
}
