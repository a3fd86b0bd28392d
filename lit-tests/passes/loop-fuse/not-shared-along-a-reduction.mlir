// What each point adds up it adds up alone: two sums over the rows of one tensor share no row.
// RUN: terrace-opt %s --loop-fuse="small=0" --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join an operation that reads what it reads: they have no dimension in common but that of the lanes
// CHECK-LABEL: func.func @columns
// CHECK-NOT: loop.group
func.func @columns(%x: tensor<64x32xf32>, %s0: tensor<32xf32>, %m0: tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) {
  %s = loop.reduction add (%j = 32) over (%i = 64) into %s0 {
    %a = loop.load %x[%i, %j] : tensor<64x32xf32>
    loop.yield %a : f32
  } : tensor<32xf32>
  %m = loop.reduction max (%j = 32) over (%i = 64) into %m0 {
    %a = loop.load %x[%i, %j] : tensor<64x32xf32>
    loop.yield %a : f32
  } : tensor<32xf32>
  return %s, %m : tensor<32xf32>, tensor<32xf32>
}
