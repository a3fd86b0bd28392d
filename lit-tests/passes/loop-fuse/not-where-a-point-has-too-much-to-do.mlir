// A point of the group would work on 65,536 elements, and a machine that runs 132 at once has 64 of them. Alone, the first
// reduction has 256.

// RUN: terrace-opt %s --loop-fuse="points=132 work=32768" --remarks-filter="loop-fuse" 2>&1 | FileCheck %s
// RUN: terrace-opt %s --loop-fuse="points=132 work=70000" | FileCheck %s --check-prefix=MORE

// CHECK: does not join an operation that it depends on: they have too few points in common to keep the machine busy
// MORE: loop.group
func.func @channels(%x: tensor<16x64x4096xf32>, %p0: tensor<4x64xf32>, %s0: tensor<64xf32>) -> tensor<64xf32> {
  %p = loop.reduction add (%b = 4, %c = 64) over (%n = 4, %k = 4096) into %p0 {
    %a = loop.load %x[%b * 4 + %n, %c, %k] : tensor<16x64x4096xf32>
    loop.yield %a : f32
  } : tensor<4x64xf32>
  %s = loop.reduction add (%c = 64) over (%b = 4) into %s0 {
    %a = loop.load %p[%b, %c] : tensor<4x64xf32>
    loop.yield %a : f32
  } : tensor<64xf32>
  return %s : tensor<64xf32>
}
