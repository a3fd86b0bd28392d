// RUN: terrace-opt %s --emit-bytecode -o %t
// RUN: terrace-opt %t | FileCheck %s

// CHECK: func.func @f(%[[X:.+]]: !graph.tensor<3x?xf32> {graph.layout = strided<[?, 1], offset: 2>, graph.storage = "s0"})
// CHECK: graph.select %[[X]] index [1] : !graph.tensor<3x?xf32>
func.func @f(%x: !graph.tensor<3x?xf32> {graph.layout = strided<[?, 1], offset: 2>, graph.storage = "s0"}) -> !graph.tensor<?xf32> {
  %row = graph.select %x index [1] {dim = 0 : i64} : !graph.tensor<3x?xf32>
  return %row : !graph.tensor<?xf32>
}
