// The first reads at each point what another of its points writes: no point of it can run beside what reads it.
// RUN: terrace-opt %s --loop-fuse="small=0" --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK: does not join an operation that it depends on: they have no dimension in common but that of the lanes
// CHECK-LABEL: func.func @in_place
// CHECK-NOT: loop.group
func.func @in_place(%y: memref<64x32xf32> {llvm.noalias}, %z: memref<64x32xf32> {llvm.noalias}) {
  loop.pointwise (%i = 64, %j = 32) into %y {
    %a = loop.load %y[63 - %i, %j] : memref<64x32xf32>
    loop.yield %a : f32
  } : memref<64x32xf32>
  loop.pointwise (%i = 64, %j = 32) into %z {
    %a = loop.load %y[%i, %j] : memref<64x32xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : memref<64x32xf32>
  return
}
