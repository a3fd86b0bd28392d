// Stock mlir-opt, with the plugin loaded, parses our dialects and runs its own passes on them.

// RUN: %mlir-opt-plugin %s --pass-pipeline='builtin.module(func.func(canonicalize, cse))' | FileCheck %s

// CHECK-LABEL: @read_twice
//  CHECK-SAME: %[[X:[^:]+]]: tensor<4xf32>
func.func @read_twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[E:.+]] = functional.exp %[[X]]
  // CHECK-NEXT: return %[[E]], %[[E]]
  %a = functional.exp %x : tensor<4xf32>
  %b = functional.exp %x : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
