// Where strides decide whether a reshape of a conjugate is a view, they decide whether it is a conjugate: the copy is none.
// RUN: terrace-opt %s --graph-outline-eager --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @reshape(
// CHECK-SAME: -> (!graph.tensor<4xcomplex<f32>> {graph.told_flags})
// CHECK: %[[CONJ:.*]] = graph._conj
// CHECK: %[[CAN:.*]] = graph.check_view %[[CONJ]] size [4]
// CHECK: %[[FLAT:.*]]:2 = scf.if %[[CAN]]
// CHECK: %[[VIEW:.*]] = graph.view %[[CONJ]] size [4]
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: scf.yield %[[VIEW]], %[[TRUE]]
// CHECK: else
// CHECK: %[[STORED:.*]] = graph._conj %[[CONJ]]
// CHECK: %[[COPY:.*]] = func.call @reshape.clone(%[[STORED]])
// CHECK: %[[SEEN:.*]] = graph.view %[[COPY]] size [4]
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK: scf.yield %[[SEEN]], %[[FALSE]]
// CHECK: graph.tell_flags %[[FLAT]]#1, %{{.*}} result 0
// CHECK-LABEL: func.func private @reshape.clone
// CHECK: graph._conj
// CHECK: graph.clone {{.*}} {memory_format = "contiguous_format"}
func.func @reshape(%x: !graph.tensor<2x2xcomplex<f32>> {graph.layout = "any"}) -> !graph.tensor<4xcomplex<f32>> attributes {graph.eager} {
  %0 = graph._conj %x : !graph.tensor<2x2xcomplex<f32>>
  %1 = graph.reshape %0 shape [4] : !graph.tensor<2x2xcomplex<f32>>
  return %1 : !graph.tensor<4xcomplex<f32>>
}

// -----

// Also where ways decide first whether it is a negative: the copy is made for each of them.
// CHECK-LABEL: func.func @contiguous(
// CHECK: %[[NEG:.*]] = arith.select {{.*}} : i1
// CHECK: %[[R:.*]] = arith.select {{.*}} : !graph.tensor<2x3xf32>
// CHECK: %[[C:.*]]:2 = scf.if %{{.*}} -> (!graph.tensor<2x3xf32>, i1) {
// CHECK: scf.yield %[[R]], %[[NEG]]
// CHECK: else
// CHECK: %[[COPY:.*]] = scf.if %[[NEG]]
// CHECK: func.call @contiguous.clone
// CHECK: func.call @contiguous.clone
// CHECK: scf.yield %[[COPY]], %{{.*}}
// CHECK: scf.if %[[C]]#1
// CHECK: func.call @contiguous.exp
func.func @contiguous(%x: !graph.tensor<2x3xf32> {graph.layout = "any"}, %c: i1) -> !graph.tensor<2x3xf32> attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<2x3xf32>
  %1 = arith.select %c, %0, %x : !graph.tensor<2x3xf32>
  %2 = graph.contiguous %1 : !graph.tensor<2x3xf32>
  %3 = graph.exp %2 : !graph.tensor<2x3xf32>
  return %3 : !graph.tensor<2x3xf32>
}

// -----

// What is always a view is seen as its operand is.
// CHECK-LABEL: func.func @unflatten(
// CHECK-SAME: -> (!graph.tensor<?x2xf32> {graph.neg})
// CHECK: %[[NEG:.*]] = graph._neg_view
// CHECK: graph.view %[[NEG]]
func.func @unflatten(%x: !graph.tensor<?xf32> {graph.layout = "any"}) -> !graph.tensor<?x2xf32> attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<?xf32>
  %1 = graph.unflatten %0 sizes [-1, 2] {dim = 0 : i64} : !graph.tensor<?xf32>
  %2 = graph.cast %1 : !graph.tensor<?x2xf32> to !graph.tensor<?x2xf32>
  return %1 : !graph.tensor<?x2xf32>
}

// -----

// Channels innermost are suggested by strides in order, from the channels on, none of them repeated.
// CHECK-LABEL: func.func @to(
// CHECK: %[[CHANNELS:.*]] = graph.sym_stride %{{.*}} {dim = 1 : i64}
// CHECK: arith.cmpi ne, %[[CHANNELS]]
// CHECK: arith.cmpi sge
// CHECK: scf.if %{{.*}} -> (!graph.tensor<2x3x4x5xf32>, i1)
// CHECK: func.call @to.clone
// CHECK: graph.clone {{.*}} {memory_format = "channels_last"}
func.func @to(%x: !graph.tensor<2x3x4x5xf32> {graph.layout = "any"}) -> !graph.tensor<2x3x4x5xf32> attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<2x3x4x5xf32>
  %1 = graph.to %0 {memory_format = "channels_last"} : !graph.tensor<2x3x4x5xf32>
  return %1 : !graph.tensor<2x3x4x5xf32>
}
