// RUN: terrace-opt %s --loop-fuse | FileCheck %s

// There is no bound for the memory of a row that a point would keep for itself.
// CHECK-LABEL: func.func @f
// CHECK-NOT: loop.group
// CHECK: return
func.func @f(%x: tensor<64x?xf32>, %n: index) -> tensor<64xf32> {
  %e0 = tensor.empty(%n) : tensor<64x?xf32>
  %exp = loop.pointwise (%i = 64, %j = %n) into %e0 {
    %a = loop.load %x[%i, %j] : tensor<64x?xf32>
    %e = math.exp %a : f32
    loop.yield %e : f32
  } : tensor<64x?xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %sum = loop.reduction add (%i = 64) over (%j = %n) into %e1 {
    %a = loop.load %exp[%i, %j] : tensor<64x?xf32>
    %b = arith.mulf %a, %a : f32
    loop.yield %b : f32
  } : tensor<64xf32>
  return %sum : tensor<64xf32>
}
