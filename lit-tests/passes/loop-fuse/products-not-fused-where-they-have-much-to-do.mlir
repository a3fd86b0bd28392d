// The first product sums over so much that to keep its result in the cache saves little.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join the product that its left factor is made of: its products have much more to do than what is between them
// CHECK-LABEL: func.func @products
// CHECK: loop.reduction add (%{{.*}} = 64, %{{.*}} = 16) over
func.func @products(%q: tensor<64x512xf32>, %k: tensor<96x512xf32>, %v: tensor<96x16xf32>) -> tensor<64x16xf32> {
  %s0 = tensor.empty() : tensor<64x96xf32>
  %s = loop.reduction add (%i = 64, %j = 96) over (%k0 = 512) into %s0 {
    %a = loop.load %q[%i, %k0] : tensor<64x512xf32>
    %b = loop.load %k[%j, %k0] : tensor<96x512xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x96xf32>
  %p = loop.pointwise (%i = 64, %j = 96) into %s0 {
    %a = loop.load %s[%i, %j] : tensor<64x96xf32>
    %d = math.exp %a : f32
    loop.yield %d : f32
  } : tensor<64x96xf32>
  %y0 = tensor.empty() : tensor<64x16xf32>
  %y = loop.reduction add (%i = 64, %d = 16) over (%j = 96) into %y0 {
    %a = loop.load %p[%i, %j] : tensor<64x96xf32>
    %b = loop.load %v[%j, %d] : tensor<96x16xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}
