// Where an element of a scatter goes its body says: a group inserts what a point has at the point.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: runs alone: a scatter chooses where its elements go
// CHECK-LABEL: func.func @rows
// CHECK-NOT: loop.group
func.func @rows(%x: tensor<64x32xf32>, %e0: tensor<64x32xf32>, %y: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %e = loop.pointwise (%i = 64, %j = 32) into %e0 {
    %a = loop.load %x[%i, %j] : tensor<64x32xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<64x32xf32>
  %z = loop.scatter (%i = 64, %j = 32) into %y {
    %a = loop.load %e[%i, %j] : tensor<64x32xf32>
    loop.yield %a at [63 - %i, %j] : f32
  } : tensor<64x32xf32>
  return %z : tensor<64x32xf32>
}
