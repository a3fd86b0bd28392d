// The body computes with an index itself.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK: loop.pointwise (%{{.*}} = 4, %{{.*}} = 6)
func.func @iota(%y: memref<4x6xindex>) {
  loop.pointwise (%i = 4, %j = 6) into %y {
    %0 = arith.addi %i, %j : index
    loop.yield %0 : index
  } : memref<4x6xindex>
  return
}
