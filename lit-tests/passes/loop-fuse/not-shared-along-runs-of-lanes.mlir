// RUN: terrace-opt %s --loop-fuse --remarks-filter=loop-fuse -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

// Lanes are along the 4 of a group and along the groups, 32 neighbours. A point for each group would have 4.
// REMARK: they have no dimension in common but that of the lanes
// CHECK-LABEL: func.func @groups(
// CHECK-NOT: loop.group
func.func @groups(%x: tensor<8x4096x32xf32>, %p: tensor<8x8x4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = loop.reduction add (%b = 8, %g = 8, %c = 4) over (%r = 4096) into %p {
    %a = loop.load %x[%b, %r, %g * 4 + %c] : tensor<8x4096x32xf32>
    loop.yield %a : f32
  } : tensor<8x8x4xf32>
  %1 = loop.reduction add (%g = 8) over (%b = 8, %c = 4) into %y {
    %a = loop.load %0[%b, %g, %c] : tensor<8x8x4xf32>
    loop.yield %a : f32
  } : tensor<8xf32>
  return %1 : tensor<8xf32>
}
