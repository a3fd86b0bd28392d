// Of the first one's elements a point reads one of its own row and one of its own column.
// RUN: terrace-opt %s --loop-fuse="small=0" --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join an operation that it depends on: they have no dimension in common but that of the lanes
// CHECK-LABEL: func.func @symmetric
// CHECK-NOT: loop.group
func.func @symmetric(%x: tensor<64x64xf32>, %e0: tensor<64x64xf32>, %y0: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = loop.pointwise (%i = 64, %j = 64) into %e0 {
    %a = loop.load %x[%i, %j] : tensor<64x64xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<64x64xf32>
  %y = loop.pointwise (%i = 64, %j = 64) into %y0 {
    %a = loop.load %e[%i, %j] : tensor<64x64xf32>
    %b = loop.load %e[%j, %i] : tensor<64x64xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
