// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/194744
// A conjugate seen by other strides was no conjugate any more. (A pull request.)
// CHECK-LABEL: func.func @strided
func.func @strided(%x: !graph.tensor<4xcomplex<f32>>) -> !graph.tensor<2x2xcomplex<f32>> {
  // CHECK: graph._conj {{.*}}"c64[4] strides [1] conj storage 0
  %0 = graph._conj %x : !graph.tensor<4xcomplex<f32>>
  // CHECK: graph.as_strided {{.*}}"c64[2, 2] strides [2, 1] conj storage 0
  %1 = graph.as_strided %0 size [2, 2] stride [2, 1] storage_offset [0] : !graph.tensor<4xcomplex<f32>>
  return %1 : !graph.tensor<2x2xcomplex<f32>>
}
