// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/139312
// _unsafe_index gave row-major strides. Its result is laid out like what is indexed, the batch innermost of the dimensions that are kept.
// CHECK-LABEL: func.func @indexed
func.func @indexed(%x: !graph.tensor<4x512x96x96xf32, "cuda:0"> {graph.layout = strided<[1, 4, 196608, 2048]>},
                   %i: !graph.tensor<192x1xi64, "cuda:0">, %j: !graph.tensor<192xi64, "cuda:0">) {
  // CHECK: graph._unsafe_index {{.*}}"f32[4, 512, 192, 192] strides [36864, 147456, 192, 1] on cuda:0
  %0 = graph._unsafe_index %x[%i, %j] {present = array<i1: false, false, true, true>}
      : !graph.tensor<4x512x96x96xf32, "cuda:0">[!graph.tensor<192x1xi64, "cuda:0">, !graph.tensor<192xi64, "cuda:0">]
  return
}
