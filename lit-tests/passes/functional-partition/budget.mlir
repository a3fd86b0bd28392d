// RUN: terrace-opt %s --functional-partition -o %t 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=KEPT --input-file %t
// RUN: terrace-opt %s --functional-partition=memory-budget=0.75 -o %t 2>&1 | FileCheck %s --check-prefix=PART
// RUN: FileCheck %s --check-prefix=AGAIN --input-file %t
// RUN: terrace-opt %s --functional-partition=memory-budget=0 -o %t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: FileCheck %s --check-prefix=BOTH --input-file %t
// RUN: terrace-opt %s --functional-partition=memory-budget-bytes=900 -o %t 2>&1 | FileCheck %s --check-prefix=PART
// RUN: terrace-opt %s --functional-partition='recompute-products=true recompute-reductions=true' -o %t 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not terrace-opt %s --functional-partition=memory-budget-bytes=100 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not terrace-opt %s --functional-partition=memory-budget=2 2>&1 | FileCheck %s --check-prefix=WRONG

// Two wide values of a narrow argument: both are saved; under a budget the one of less work is made again first, then both.
// ONE: remark: {{.*}}saves 1024 bytes in 2 values
// PART: remark: {{.*}}saves 768 bytes in 2 values
// NONE: remark: {{.*}}saves 256 bytes in 1 values
// SMALL: error: {{.*}}saves 256 bytes at least, more than the 100 of memory-budget-bytes
// WRONG: error: {{.*}}memory-budget is between 0 and 1, got 2
// KEPT: func.func private @f.backward(
// KEPT-NOT: functional.mm
// KEPT-NOT: functional.cumsum
// AGAIN: func.func private @f.backward(
// AGAIN-NOT: functional.mm
// AGAIN: functional.cumsum
// BOTH: func.func private @f.backward(
// BOTH: functional.mm
// BOTH: functional.cumsum
func.func @f(%x: tensor<8x8xf32>, %g: tensor<16x8xf32> {functional.tangent}) -> (tensor<16x8xf32> {functional.gradient}, tensor<16x8xf32> {functional.gradient}) {
  %k = arith.constant dense<1.0> : tensor<16x8xf32>
  %a = functional.mm %k, %x : tensor<16x8xf32>, tensor<8x8xf32>
  %e = functional.view %x size [1, 8, 8] : tensor<8x8xf32>
  %w = functional.expand %e size [2, 8, 8] : tensor<1x8x8xf32>
  %v = functional.view %w size [16, 8] : tensor<2x8x8xf32>
  %b = functional.cumsum %v {dim = 0 : i64} : tensor<16x8xf32>
  %d = functional.mul %g, %a : tensor<16x8xf32>, tensor<16x8xf32>
  %h = functional.mul %g, %b : tensor<16x8xf32>, tensor<16x8xf32>
  return %d, %h : tensor<16x8xf32>, tensor<16x8xf32>
}
