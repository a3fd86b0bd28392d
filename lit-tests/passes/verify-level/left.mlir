// The first operation of a level above is an error; operations that are excepted, and those of other dialects, are none.

// RUN: not terrace-opt %s --verify-level="above=\"functional loop\"" 2>&1 | FileCheck %s
// RUN: terrace-opt %s --verify-level="above=\"functional loop\" except=functional.exp" | FileCheck %s --check-prefix=EXCEPTED
// RUN: terrace-opt %s --verify-level="above=linalg" | FileCheck %s --check-prefix=EXCEPTED

// CHECK: left.mlir:[[@LINE+4]]:8: error: 'functional.exp' op has no way down from here: expects no operation of functional
// CHECK-NOT: error
// EXCEPTED: functional.exp
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.exp %x : tensor<4xf32>
  %1 = math.exp %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
