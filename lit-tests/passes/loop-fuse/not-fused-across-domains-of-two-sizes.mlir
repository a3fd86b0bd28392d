// The second has half of the first one's rows: neither has a point for each point of the other.
// RUN: terrace-opt %s --loop-fuse="small=0" --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join an operation that it depends on: they have no dimension in common but that of the lanes
// CHECK-LABEL: func.func @half
// CHECK-NOT: loop.group
func.func @half(%x: tensor<64x32xf32>, %e0: tensor<64x32xf32>, %y0: tensor<32x32xf32>) -> (tensor<64x32xf32>, tensor<32x32xf32>) {
  %e = loop.pointwise (%i = 64, %j = 32) into %e0 {
    %a = loop.load %x[%i, %j] : tensor<64x32xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<64x32xf32>
  %y = loop.pointwise (%i = 32, %j = 32) into %y0 {
    %a = loop.load %e[%i, %j] : tensor<64x32xf32>
    %b = math.log %a : f32
    loop.yield %b : f32
  } : tensor<32x32xf32>
  return %e, %y : tensor<64x32xf32>, tensor<32x32xf32>
}
