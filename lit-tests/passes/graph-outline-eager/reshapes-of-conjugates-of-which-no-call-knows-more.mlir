// Where no call knows more of strides, what is a view or a copy by them is so of what is stored, and seen as its operand is.
// RUN: terrace-opt %s --graph-outline-eager | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: -> (!graph.tensor<4xcomplex<f32>> {graph.conj})
// CHECK: %[[SEEN:.*]] = scf.if
// CHECK: %[[STORED:.*]] = graph._conj %[[SEEN]]
// CHECK: %[[CAN:.*]] = graph.check_view %[[STORED]] size [4]
// CHECK: %[[FLAT:.*]] = scf.if %[[CAN]]
// CHECK: graph.view %[[STORED]] size [4]
// CHECK: else
// CHECK: %[[COPY:.*]] = func.call @main.clone(%[[STORED]])
// CHECK: graph.view %[[COPY]] size [4]
// CHECK: graph._conj %[[FLAT]]
func.func @main(%x: !graph.tensor<2x2xcomplex<f32>>, %y: !graph.tensor<2x2xcomplex<f32>>, %c: i1) -> !graph.tensor<4xcomplex<f32>> attributes {graph.eager, graph.specialized} {
  %0 = graph._conj %x : !graph.tensor<2x2xcomplex<f32>>
  %1 = graph._conj %y : !graph.tensor<2x2xcomplex<f32>>
  %2 = graph.t %1 : !graph.tensor<2x2xcomplex<f32>>
  %3 = scf.if %c -> !graph.tensor<2x2xcomplex<f32>> {
    scf.yield %0 : !graph.tensor<2x2xcomplex<f32>>
  } else {
    scf.yield %2 : !graph.tensor<2x2xcomplex<f32>>
  }
  %4 = graph.reshape %3 shape [4] : !graph.tensor<2x2xcomplex<f32>>
  return %4 : !graph.tensor<4xcomplex<f32>>
}
