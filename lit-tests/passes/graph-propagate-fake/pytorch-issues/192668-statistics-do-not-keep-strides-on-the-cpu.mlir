// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/192668
// native_batch_norm kept the strides of a transposed operand. On the CPU it makes rows, or keeps channels innermost; on CUDA it keeps strides.
// CHECK-LABEL: func.func @norms
func.func @norms(%x: !graph.tensor<2x4x3xf32> {graph.layout = strided<[12, 1, 4]>}, %m: !graph.tensor<4xf32>,
                 %y: !graph.tensor<2x4x3xf32, "cuda:0"> {graph.layout = strided<[12, 1, 4]>}, %v: !graph.tensor<4xf32, "cuda:0">) {
  // CHECK: graph.native_batch_norm {{.*}}"f32[2, 4, 3] strides [12, 3, 1] storage
  %0:3 = graph.native_batch_norm %x running_mean %m : !graph.tensor<4xf32> running_var %m : !graph.tensor<4xf32>
      {training = true, momentum = 0.1, eps = 1.0e-5} : !graph.tensor<2x4x3xf32>
  // CHECK: graph.native_batch_norm {{.*}}"f32[2, 4, 3] strides [12, 1, 4] on cuda:0
  %1:3 = graph.native_batch_norm %y running_mean %v : !graph.tensor<4xf32, "cuda:0"> running_var %v : !graph.tensor<4xf32, "cuda:0">
      {training = true, momentum = 0.1, eps = 1.0e-5} : !graph.tensor<2x4x3xf32, "cuda:0">
  return
}
