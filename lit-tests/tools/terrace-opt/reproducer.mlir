// A pipeline that fails leaves the program as it was before, with the pipeline; run again, that fails again.

// RUN: not terrace-opt %s --pass-pipeline='builtin.module(func.func(cse), one-shot-bufferize)' \
// RUN:   --mlir-pass-pipeline-crash-reproducer=%t 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: FileCheck %s < %t
// RUN: not terrace-opt %t --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN

// CHECK-COUNT-2: tosa.abs
// CHECK: pipeline: "builtin.module(func.func(cse), one-shot-bufferize{
// FIRST: reproducer.mlir:[[# @LINE + 3]]:{{.*}} op was not bufferized
// AGAIN: error: op was not bufferized
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = tosa.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %b = tosa.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
