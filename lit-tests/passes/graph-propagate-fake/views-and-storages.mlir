// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// Views name their storage, and in-place operators their operand.
// CHECK-LABEL: func.func @views
// CHECK-SAME: graph.fake = "f32[3, 4] strides [1, 3] offset 2 storage 0 object 0"
// CHECK-SAME: graph.fake = "f32[4] strides [2] storage 0 object 1"
func.func @views(
    %x: !graph.tensor<3x4xf32> {graph.storage = "s", graph.layout = strided<[1, 3], offset: 2>},
    %y: !graph.tensor<4xf32> {graph.storage = "s", graph.layout = strided<[2]>}) -> !graph.tensor<2x4xf32> {
  // CHECK: graph.slice {{.*}}graph.fake = ["f32[2, 4] strides [1, 3] offset 3 storage 0 object 2"]
  %0 = graph.slice %x start [1] end [3] step [1] {dim = 0} : !graph.tensor<3x4xf32>
  // CHECK: graph.add_ {{.*}}graph.fake = ["f32[2, 4] strides [1, 3] offset 3 storage 0 object 2"]
  %1 = graph.add_ %0, %y : !graph.tensor<2x4xf32>, !graph.tensor<4xf32>
  // CHECK: graph.exp {{.*}}graph.fake = ["f32[2, 4] strides [1, 2] storage 1 object 3"]
  %2 = graph.exp %1 : !graph.tensor<2x4xf32>
  return %2 : !graph.tensor<2x4xf32>
}

// Strides decide between a view and a copy.
// CHECK-LABEL: func.func @either
func.func @either(%x: !graph.tensor<2x3xf32>) -> (!graph.tensor<6xf32>, !graph.tensor<6xf32>) {
  %t = graph.t %x : !graph.tensor<2x3xf32>
  // CHECK: graph.reshape {{.*}}graph.fake = ["f32[6] strides [1] storage 0 object 2"]
  %0 = graph.reshape %x shape [6] : !graph.tensor<2x3xf32>
  // CHECK: graph.reshape {{.*}}graph.fake = ["f32[6] strides [1] storage 1 object 3"]
  %1 = graph.reshape %t shape [6] : !graph.tensor<3x2xf32>
  // CHECK: graph.contiguous {{.*}}graph.fake = ["f32[2, 3] strides [3, 1] storage 0 object 0"]
  %2 = graph.contiguous %x : !graph.tensor<2x3xf32>
  return %0, %1 : !graph.tensor<6xf32>, !graph.tensor<6xf32>
}

// Conjugates are views with a flag, and so are the imaginary parts of conjugates.
// CHECK-LABEL: func.func @flags
func.func @flags(%x: !graph.tensor<2xcomplex<f32>>) -> !graph.tensor<2xf32> {
  // CHECK: graph.conj {{.*}}graph.fake = ["c64[2] strides [1] conj storage 0 object 1"]
  %0 = graph.conj %x : !graph.tensor<2xcomplex<f32>>
  // CHECK: graph.imag {{.*}}graph.fake = ["f32[2] strides [2] offset 1 neg storage 0 object 2"]
  %1 = graph.imag %0 : !graph.tensor<2xcomplex<f32>>
  return %1 : !graph.tensor<2xf32>
}
