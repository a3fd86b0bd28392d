// A row is combined with those before it, and not with all elements before it.

// RUN: terrace-opt %s --loop-collapse | FileCheck %s

// CHECK: loop.scan add (%{{.*}} = 4, %{{.*}} = 6) along
func.func @scan(%x: memref<4x6xf32>, %y: memref<4x6xf32>) {
  loop.scan add (%i = 4, %j = 6) along %i into %y {
    %0 = loop.load %x[%i, %j] : memref<4x6xf32>
    loop.yield %0 : f32
  } : memref<4x6xf32>
  return
}
