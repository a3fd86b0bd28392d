// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// https://github.com/pytorch/pytorch/issues/185888
// After as_strided_ the result had the new sizes, and the tensor that it changed the old ones. They are one object.
// CHECK-LABEL: func.func @restrided
func.func @restrided() -> !graph.tensor<2x2xf32> {
  %four = arith.constant 4 : i64
  // CHECK: graph.arange {{.*}}"f32[4] strides [1] storage 0 object 0"
  %0 = graph.arange end %four : i64 {dtype = f32}
  // CHECK: graph.as_strided_ {{.*}}"f32[2, 2] strides [2, 1] storage 0 object 0"
  %1 = graph.as_strided_ %0 size [2, 2] stride [2, 1] storage_offset [0] : !graph.tensor<4xf32>
  return %1 : !graph.tensor<2x2xf32>
}
