// What both products read is written between them: neither can run where the other one does.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join the product that its left factor is made of: another operation has to come between them
// CHECK-LABEL: func.func @products
// CHECK: loop.reduction add (%{{.*}} = 64, %{{.*}} = 16) over
func.func @products(%q: tensor<64x16xf32>, %k: memref<96x16xf32>) -> tensor<64x16xf32> {
  %z = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %s0 = tensor.empty() : tensor<64x96xf32>
  %s = loop.reduction add (%i = 64, %j = 96) over (%k0 = 16) into %s0 {
    %a = loop.load %q[%i, %k0] : tensor<64x16xf32>
    %b = loop.load %k[%j, %k0] : memref<96x16xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x96xf32>
  %p = loop.pointwise (%i = 64, %j = 96) into %s0 {
    %a = loop.load %s[%i, %j] : tensor<64x96xf32>
    %d = math.exp %a : f32
    loop.yield %d : f32
  } : tensor<64x96xf32>
  memref.store %f, %k[%z, %z] : memref<96x16xf32>
  %y0 = tensor.empty() : tensor<64x16xf32>
  %y = loop.reduction add (%i = 64, %d = 16) over (%j = 96) into %y0 {
    %a = loop.load %p[%i, %j] : tensor<64x96xf32>
    %b = loop.load %k[%j, %d] : memref<96x16xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}
