// RUN: terrace-opt %s --graph-structure --graph-functionalize --convert-graph-boundary-to-memref | FileCheck %s

// A view of other elements is one of the buffer.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: %[[X:.*]]: memref<4xcomplex<f32>>) -> (memref<4x2xf32> {graph.dtype = f32})
// CHECK: %[[PARTS:.*]] = kernel.reinterpret %[[X]] : memref<4xcomplex<f32>> to memref<8xf32>
// CHECK: memref.reinterpret_cast %[[PARTS]] to offset: [0], sizes: [4, 2], strides: [2, 1]
func.func @parts(%x: !graph.tensor<4xcomplex<f32>>) -> !graph.tensor<4x2xf32> {
  %0 = graph.view_as_real %x : !graph.tensor<4xcomplex<f32>>
  return %0 : !graph.tensor<4x2xf32>
}

// A conjugate is the buffer, and says so.
// CHECK-LABEL: func.func @conjugate(
// CHECK-SAME: -> (memref<4xcomplex<f32>> {graph.conj, graph.dtype = complex<f32>})
func.func @conjugate(%x: !graph.tensor<4xcomplex<f32>>) -> !graph.tensor<4xcomplex<f32>> {
  %0 = graph._conj %x : !graph.tensor<4xcomplex<f32>>
  return %0 : !graph.tensor<4xcomplex<f32>>
}
