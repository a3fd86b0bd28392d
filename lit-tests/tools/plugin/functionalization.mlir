// The passes from storages to values on a function whose tensors come from upstream's operations, in stock mlir-opt.

// RUN: %mlir-opt-plugin %s \
// RUN:   --pass-pipeline='builtin.module(graph-specialize-aliases,graph-structure,func.func(graph-resolve-views),graph-functionalize{remove=mutations-and-views},functional-reinplace)' | FileCheck %s

// CHECK-LABEL: func.func private @mixed.core
//       CHECK:   %[[T:.*]] = bufferization.to_tensor
//       CHECK:   %[[E:.*]] = tensor.empty
//       CHECK:   %[[S:.*]] = tensor.insert_slice
//       CHECK:   scf.if
//       CHECK:     functional.neg
//       CHECK:   functional.select_copy
// CHECK-LABEL: func.func @mixed
func.func @mixed(%c: i1, %m: memref<2x3xf32>, %x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %t = bufferization.to_tensor %m restrict : memref<2x3xf32> to tensor<2x3xf32>
  %e = tensor.empty() : tensor<4x3xf32>
  %s = tensor.insert_slice %t into %e[1, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<4x3xf32>
  %g = graph.fresh %s : tensor<4x3xf32>
  scf.if %c {
    %n = graph.neg_ %g : !graph.tensor<4x3xf32>
  }
  %row = graph.select %g index [1] : !graph.tensor<4x3xf32>
  %w = graph.add_ %x, %row : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return %row : !graph.tensor<3xf32>
}
