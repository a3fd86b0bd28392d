// The last column is written first.

// RUN: terrace-opt %s --loop-fill-slices | FileCheck %s

// CHECK: loop.scatter
func.func @f(%x: memref<4x6xf32>, %y: memref<8x8xf32>) {
  loop.scatter (%i = 4, %j = 6) into %y {
    %a = loop.load %x[%i, %j] : memref<4x6xf32>
    loop.yield %a at [%i, -%j + 6] : f32
  } : memref<8x8xf32>
  return
}
