// The elements between the two products are a result: one kernel would have to write them all the same.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join the product that its left factor is made of: what is between its products is needed elsewhere
// CHECK-LABEL: func.func @products
// CHECK: loop.reduction add (%{{.*}} = 64, %{{.*}} = 16) over
func.func @products(%q: tensor<64x16xf32>, %k: tensor<96x16xf32>, %v: tensor<96x16xf32>) -> (tensor<64x16xf32>, tensor<64x96xf32>) {
  %s0 = tensor.empty() : tensor<64x96xf32>
  %s = loop.reduction add (%i = 64, %j = 96) over (%k0 = 16) into %s0 {
    %a = loop.load %q[%i, %k0] : tensor<64x16xf32>
    %b = loop.load %k[%j, %k0] : tensor<96x16xf32>
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
  return %y, %p : tensor<64x16xf32>, tensor<64x96xf32>
}
