// What is compiled when it is called is refused where eager refuses it, used or not: a use keeps it.
// RUN: terrace-opt %s --pass-pipeline="builtin.module(graph-outline-eager,canonicalize)" 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @reshaped(
// CHECK: graph.reshape
// CHECK-NEXT: %[[NEW:.*]] = graph.linear
// CHECK-NEXT: graph.fake_use %[[NEW]] : !graph.tensor<?xcomplex<f32>>
func.func @reshaped(%x: !graph.tensor<2x2xcomplex<f32>> {graph.layout = "any"}, %w: !graph.tensor<?x?xcomplex<f32>>) attributes {graph.eager, graph.partial} {
  %0 = graph._conj %x : !graph.tensor<2x2xcomplex<f32>>
  %1 = graph.reshape %0 shape [4] : !graph.tensor<2x2xcomplex<f32>>
  %2 = graph.linear %1, %w : !graph.tensor<4xcomplex<f32>>, !graph.tensor<?x?xcomplex<f32>>
  return
}

// Nor what is handed on by others that nobody uses.
// CHECK-LABEL: func.func @handed_on(
// CHECK: %[[NEW:.*]] = graph.linear
// CHECK-NEXT: graph.fake_use %[[NEW]] : !graph.tensor<?xcomplex<f32>>
func.func @handed_on(%x: !graph.tensor<2x2xcomplex<f32>> {graph.layout = "any"}, %w: !graph.tensor<?x?xcomplex<f32>>, %n: i1) attributes {graph.eager, graph.partial} {
  %0 = graph._conj %x : !graph.tensor<2x2xcomplex<f32>>
  %1 = graph.reshape %0 shape [4] : !graph.tensor<2x2xcomplex<f32>>
  %2 = graph.linear %1, %w : !graph.tensor<4xcomplex<f32>>, !graph.tensor<?x?xcomplex<f32>>
  %3 = scf.if %n -> !graph.tensor<?xcomplex<f32>> {
    scf.yield %2 : !graph.tensor<?xcomplex<f32>>
  } else {
    %4 = graph.neg %2 : !graph.tensor<?xcomplex<f32>>
    scf.yield %4 : !graph.tensor<?xcomplex<f32>>
  }
  return
}

// A value refuses nothing.
// CHECK-LABEL: func.func @valued(
// CHECK: graph.reshape
// CHECK-NEXT: return
func.func @valued(%x: !graph.tensor<2x2xcomplex<f32>> {graph.layout = "any"}) attributes {graph.eager, graph.partial} {
  %0 = graph._conj %x : !graph.tensor<2x2xcomplex<f32>>
  %1 = graph.reshape %0 shape [4] : !graph.tensor<2x2xcomplex<f32>>
  %2 = graph.value %x : !graph.tensor<2x2xcomplex<f32>>
  return
}
