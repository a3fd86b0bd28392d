// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/144736
// A tensor with channels innermost, indexed on CUDA by indices on the CPU, was row-major as a fake one. The dimensions that are kept keep
// their order in memory.
// CHECK-LABEL: func.func @indexed
func.func @indexed(%x: !graph.tensor<24x16x32x32xf32, "cuda:0"> {graph.layout = strided<[16384, 1, 512, 16]>},
                   %i: !graph.tensor<2x1xi64>, %j: !graph.tensor<2x12xi64>) {
  %0 = graph.view %x size [2, 12, 16, 32, 32] : !graph.tensor<24x16x32x32xf32, "cuda:0">
  %1 = graph.slice %j start [0] end [3] step [1] {dim = 1} : !graph.tensor<2x12xi64>
  // CHECK: graph.index {{.*}}"f32[2, 3, 16, 32, 32] strides [49152, 16384, 1, 512, 16] on cuda:0
  %2 = graph.index %0[%i, %1] {present = array<i1: true, true, false, false, false>}
      : !graph.tensor<2x12x16x32x32xf32, "cuda:0">[!graph.tensor<2x1xi64>, !graph.tensor<2x3xi64>]
  return
}
