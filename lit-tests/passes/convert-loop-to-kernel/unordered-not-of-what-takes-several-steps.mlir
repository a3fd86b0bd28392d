// No processor multiplies what is in memory in one step.

// RUN: terrace-opt %s --convert-loop-to-kernel="unordered=all" | FileCheck %s

// CHECK-LABEL: kernel.func @f.scatter_0
// CHECK-SAME: grid()
// CHECK-NOT: kernel.atomic
func.func @f(%at: memref<65536xi64>, %x: memref<65536xi64>, %y: memref<1000xi64>) {
  loop.scatter mul (%i = 65536) into %y {
    %p = loop.load %at[%i] : memref<65536xi64>
    %place = arith.index_cast %p : i64 to index
    %a = loop.load %x[%i] : memref<65536xi64>
    loop.yield %a at [%place] : i64
  } : memref<1000xi64>
  return
}
