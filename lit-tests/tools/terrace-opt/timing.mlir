// RUN: terrace-opt %s --canonicalize --mlir-timing --mlir-timing-display=tree -o %t 2>&1 | FileCheck %s

// CHECK: Execution time report
// CHECK: Canonicalizer
func.func @f(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  return %x : !graph.tensor<3xf32>
}
