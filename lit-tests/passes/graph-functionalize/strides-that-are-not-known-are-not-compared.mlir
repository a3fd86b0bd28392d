// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// Eager compares strides where a tensor is written from itself, those of sizes of one too. Where they are not known elements are
// compared: each is read where it is written.
// CHECK-LABEL: func.func private @main.core
// CHECK: functional.bitwise_xor
// CHECK-LABEL: func.func @main
func.func @main(%x: !graph.tensor<1x4xui8> {graph.layout = strided<[0, ?], offset: ?>}) {
  %0 = graph.unfold %x {dimension = 0 : i64, size = 1 : i64, step = 1 : i64} : !graph.tensor<1x4xui8>
  %1 = graph.slice %0 start [-2] end [2] step [2] {dim = -1 : i64} : !graph.tensor<1x4x1xui8>
  %2 = graph.bitwise_xor_ %1, %0 : !graph.tensor<1x4x1xui8>, !graph.tensor<1x4x1xui8>
  return
}

// CHECK-LABEL: func.func private @copied.core
// CHECK-LABEL: func.func @copied
func.func @copied(%x: !graph.tensor<1x2xf16> {graph.layout = strided<[?, 2], offset: 2>}) {
  %0 = graph.select %x index [0] {dim = 0 : i64} : !graph.tensor<1x2xf16>
  %1 = graph.copy_ %x, %0 : !graph.tensor<1x2xf16>, !graph.tensor<2xf16>
  return
}
