// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/141811
// lerp on CUDA refused a weight without dimensions on the CPU, which other pointwise operators take. It does too.
// CHECK-LABEL: func.func @weighted
func.func @weighted(%x: !graph.tensor<10xf32, "cuda:0">, %y: !graph.tensor<10xf32, "cuda:0">, %w: !graph.tensor<f32>) {
  // CHECK: graph.lerp {{.*}}"f32[10] strides [1] on cuda:0
  %0 = graph.lerp %x, %y, %w : !graph.tensor<10xf32, "cuda:0">, !graph.tensor<10xf32, "cuda:0">, !graph.tensor<f32>
  return
}
