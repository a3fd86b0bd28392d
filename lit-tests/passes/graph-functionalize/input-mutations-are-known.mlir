// RUN: not terrace-opt %s --graph-functionalize=input-mutations=none 2>&1 | FileCheck %s

// CHECK: graph-functionalize: 'input-mutations' is 'write-back' or 'results', got 'none'
func.func @f(%x: !graph.tensor<4xf32>) {
  return
}
