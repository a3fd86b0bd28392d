// RUN: terrace-opt --graph-functionalize %s | FileCheck %s
// RUN: not terrace-opt --graph-functionalize --split-input-file %S/Inputs/numbers-that-are-not-known.mlir 2>&1 | FileCheck --check-prefix=REFUSED %s

// An element is extracted as it is at this point of the program.
// CHECK-LABEL: func.func private @item.core
// CHECK: %[[N:.*]] = functional.neg
// CHECK: %[[WIDE:.*]] = functional.{{.*}} %[[N]]
// CHECK: %[[E:.*]] = tensor.extract %[[WIDE]][] : tensor<f64>
// CHECK: return %[[E]]
func.func @item(%x: !graph.tensor<f32>) -> f64 {
  %0 = graph.neg_ %x : !graph.tensor<f32>
  %1 = graph.item %x : !graph.tensor<f32>
  return %1 : f64
}

// Sizes and strides are constants.
// CHECK-LABEL: func.func private @sizes.core
// CHECK-DAG: arith.constant 4 : i64
// CHECK-DAG: arith.constant 3 : i64
// CHECK-DAG: arith.constant 12 : i64
// CHECK-DAG: arith.constant 0 : i64
func.func @sizes(%x: !graph.tensor<4x3xf32>) -> (i64, i64, i64, i64) {
  %0 = graph.sym_size %x {dim = 0 : i64} : !graph.tensor<4x3xf32>
  %1 = graph.sym_stride %x {dim = 0 : i64} : !graph.tensor<4x3xf32>
  %2 = graph.sym_numel %x : !graph.tensor<4x3xf32>
  %3 = graph.sym_storage_offset %x : !graph.tensor<4x3xf32>
  return %0, %1, %2, %3 : i64, i64, i64, i64
}

// REFUSED: error: 'graph.sym_stride' op is known when the program runs only: declare graph.layout
