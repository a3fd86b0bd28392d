// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// The absolute value comes after the difference, whose strides are [1, 1]: a contiguous tensor, and so is what eager makes of it.
// CHECK-LABEL: func.func @of_one_row(
func.func @of_one_row(%x: !graph.tensor<1x4xf32> {graph.layout = strided<[5, 6], offset: 0>, graph.storage = "x"}) -> (!graph.tensor<1x4xf32>, !graph.tensor<1x4xf32>) {
  // CHECK: graph.mse_loss {{.*}}strides [1, 1]
  %0 = graph.mse_loss %x, %x {reduction = 0 : i64} : !graph.tensor<1x4xf32>, !graph.tensor<1x4xf32>
  // CHECK: graph.l1_loss {{.*}}strides [4, 1]
  %1 = graph.l1_loss %x, %x {reduction = 0 : i64} : !graph.tensor<1x4xf32>, !graph.tensor<1x4xf32>
  return %0, %1 : !graph.tensor<1x4xf32>, !graph.tensor<1x4xf32>
}
