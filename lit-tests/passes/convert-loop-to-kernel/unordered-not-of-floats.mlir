// A sum of floats depends on the order.

// RUN: terrace-opt %s --convert-loop-to-kernel="unordered=integers" | FileCheck %s

// CHECK-LABEL: kernel.func @f.scatter_0
// CHECK-SAME: grid()
// CHECK-NOT: kernel.atomic
func.func @f(%at: memref<65536xi64>, %x: memref<65536xf32>, %y: memref<1000xf32>) {
  loop.scatter add (%i = 65536) into %y {
    %p = loop.load %at[%i] : memref<65536xi64>
    %place = arith.index_cast %p : i64 to index
    %a = loop.load %x[%i] : memref<65536xf32>
    loop.yield %a at [%place] : f32
  } : memref<1000xf32>
  return
}
