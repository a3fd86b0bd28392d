// The last index of the outer domain stays one, and the first of the inner domain.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK: loop.reduction add (%{{.*}} = 4) over (%{{.*}} = 6)
func.func @rows(%x: memref<4x6xf32>, %y: memref<4xf32>) {
  loop.reduction add (%i = 4) over (%j = 6) into %y {
    %0 = loop.load %x[%i, %j] : memref<4x6xf32>
    loop.yield %0 : f32
  } : memref<4xf32>
  return
}
