// Floats in any order, where that is asked for.

// RUN: terrace-opt %s --convert-loop-to-kernel="unordered=all" | FileCheck %s
// RUN: not terrace-opt %s --convert-loop-to-kernel="unordered=floats" 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: {{.*}}expects nothing, integers or all, got floats

// CHECK-LABEL: kernel.func @f.scatter_0
// CHECK-SAME: grid(%{{.*}} in 16)
// CHECK: kernel.atomic add
func.func @f(%at: memref<65536xi64>, %x: memref<65536xf32>, %y: memref<1000xf32>) {
  loop.scatter add (%i = 65536) into %y {
    %p = loop.load %at[%i] : memref<65536xi64>
    %place = arith.index_cast %p : i64 to index
    %a = loop.load %x[%i] : memref<65536xf32>
    loop.yield %a at [%place] : f32
  } : memref<1000xf32>
  return
}
