// All lanes store at the place of their row: they wait for each other.

// RUN: terrace-opt %s --convert-loop-to-kernel="unordered=integers" | FileCheck %s

// CHECK-LABEL: kernel.func @f.scatter_0
// CHECK-SAME: grid()
// CHECK-NOT: kernel.atomic
func.func @f(%at: memref<65536xi64>, %x: memref<65536x64xi32>, %y: memref<1000xi32>) {
  loop.scatter add (%i = 64, %j = 64) into %y {
    %p = loop.load %at[%i] : memref<65536xi64>
    %place = arith.index_cast %p : i64 to index
    %a = loop.load %x[%i, %j] : memref<65536x64xi32>
    loop.yield %a at [%i] : i32
  } : memref<1000xi32>
  return
}
