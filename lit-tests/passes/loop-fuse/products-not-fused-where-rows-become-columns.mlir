// The second product reads the first one along columns: a row of it takes all rows of the other.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join the product that its left factor is made of: its products do not have their rows and batches in common
// CHECK-LABEL: func.func @products
// CHECK: loop.reduction add (%{{.*}} = 64, %{{.*}} = 16) over
func.func @products(%q: tensor<64x16xf32>, %k: tensor<64x16xf32>, %v: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %s0 = tensor.empty() : tensor<64x64xf32>
  %s = loop.reduction add (%i = 64, %j = 64) over (%k0 = 16) into %s0 {
    %a = loop.load %q[%i, %k0] : tensor<64x16xf32>
    %b = loop.load %k[%j, %k0] : tensor<64x16xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x64xf32>
  %p = loop.pointwise (%i = 64, %j = 64) into %s0 {
    %a = loop.load %s[%i, %j] : tensor<64x64xf32>
    %d = math.exp %a : f32
    loop.yield %d : f32
  } : tensor<64x64xf32>
  %y0 = tensor.empty() : tensor<64x16xf32>
  %y = loop.reduction add (%i = 64, %d = 16) over (%j = 64) into %y0 {
    %a = loop.load %p[%j, %i] : tensor<64x64xf32>
    %b = loop.load %v[%j, %d] : tensor<64x16xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}
