// Of few rows, and words of two bf16, lanes are along the columns: a lane along what is summed over would be one word.

// RUN: terrace-opt %s --kernel-schedule-templates=pairs=true | FileCheck %s

// CHECK-LABEL: func.func @few_rows
// CHECK-NOT: dots
// CHECK: tile [2, 32]
func.func @few_rows(%x: memref<2x256xi32>, %w: memref<96x256xi32>, %y: memref<2x96xf32>) {
  kernel.matmul (%m = 2, %n = 96) over (%k = 256) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<2x256xi32>
    loop.yield %a : i32
  } rhs {
    %a = loop.load %w[%n, %k] : memref<96x256xi32>
    loop.yield %a : i32
  } : memref<2x96xf32>
  return
}
