// RUN: terrace-opt %s --elide-copies | FileCheck %s

// The index of a loop in the body is another one at each point.

// CHECK: memref.copy
func.func @f(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %half = memref.reinterpret_cast %x to offset: [4], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %alloc = memref.alloc() : memref<4xf32>
  loop.pointwise (%i = 4) into %alloc {
    %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%s = %zero) -> f32 {
      %0 = loop.load %x[%k + 4] : memref<8xf32>
      %1 = arith.addf %s, %0 : f32
      scf.yield %1 : f32
    }
    loop.yield %sum : f32
  } : memref<4xf32>
  memref.copy %alloc, %half {graph.disjoint} : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  return
}
