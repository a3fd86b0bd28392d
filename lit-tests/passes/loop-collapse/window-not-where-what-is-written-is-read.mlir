// What the window holds is read as the whole buffer.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK: loop.scatter
func.func @f(%x: memref<4x6xf32>, %y: memref<8x8xf32>) {
  loop.scatter (%i = 4, %j = 6) into %y {
    %a = loop.load %y[%i, %j + 1] : memref<8x8xf32>
    loop.yield %a at [%i, %j + 1] : f32
  } : memref<8x8xf32>
  return
}
