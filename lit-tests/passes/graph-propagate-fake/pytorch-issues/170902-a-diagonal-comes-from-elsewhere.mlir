// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/170902
// diagonal_scatter refused a diagonal on another device, which eager copies. (A pull request.)
// CHECK-LABEL: func.func @scattered
func.func @scattered(%d: !graph.tensor<1xf32>) {
  %0 = graph.zeros [1, 2] {dtype = f32, device = "cuda"}
  // CHECK: graph.diagonal_scatter {{.*}}"f32[1, 2] strides [2, 1] on cuda:0
  %1 = graph.diagonal_scatter %0, %d {dim1 = 0 : i64, dim2 = 1 : i64} : !graph.tensor<1x2xf32, "cuda:0">, !graph.tensor<1xf32>
  return
}
