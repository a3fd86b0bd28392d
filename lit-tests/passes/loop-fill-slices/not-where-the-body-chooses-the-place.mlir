// Where a row begins is read there.

// RUN: terrace-opt %s --loop-fill-slices | FileCheck %s

// CHECK: loop.scatter
func.func @f(%x: memref<6xf32>, %y: memref<8x8xf32>, %at: memref<index>) {
  loop.scatter (%j = 6) into %y {
    %first = loop.load %at[] : memref<index>
    %a = loop.load %x[%j] : memref<6xf32>
    loop.yield %a at [%first, %j] : f32
  } : memref<8x8xf32>
  return
}
