// A view that nobody looks at is refused where eager refuses it: a use keeps it.
// RUN: terrace-opt %s --pass-pipeline="builtin.module(graph-outline-eager,canonicalize)" --split-input-file | FileCheck %s

// Strides decide.
// CHECK-LABEL: func.func @joined(
// CHECK: %[[V:.*]] = graph.view %{{.*}} size [12]
// CHECK-NEXT: graph.fake_use %[[V]] : !graph.tensor<12xf32>
func.func @joined(%x: !graph.tensor<3x4xf32> {graph.layout = "any"}) attributes {graph.eager} {
  %0 = graph.view %x size [12] : !graph.tensor<3x4xf32>
  return
}

// -----

// The number of parts.
// CHECK-LABEL: func.func @parts(
// CHECK: %[[V:.*]] = graph.view_as_complex
// CHECK-NEXT: graph.fake_use %[[V]]
func.func @parts(%x: !graph.tensor<3x?xf32> {graph.layout = "any"}) attributes {graph.eager} {
  %0 = graph.view_as_complex %x : !graph.tensor<3x?xf32>
  return
}

// -----

// Sizes.
// CHECK-LABEL: func.func @narrowed(
// CHECK: %[[V:.*]] = graph.narrow
// CHECK-NEXT: graph.fake_use %[[V]]
func.func @narrowed(%x: !graph.tensor<3x?xf32> {graph.layout = "any"}) attributes {graph.eager} {
  %0 = graph.narrow %x start [2] length [2] {dim = 1 : i64} : !graph.tensor<3x?xf32>
  return
}

// -----

// The dtype.
// CHECK-LABEL: func.func @negated(
// CHECK: %[[V:.*]] = graph._neg_view
// CHECK-NEXT: graph.fake_use %[[V]]
func.func @negated(%x: !graph.tensor<3xi1> {graph.layout = "any"}) attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<3xi1>
  return
}

// -----

// Nobody else uses what somebody looks at.
// CHECK-LABEL: func.func @returned(
// CHECK-NOT: graph.fake_use
func.func @returned(%x: !graph.tensor<3x?xf32> {graph.layout = "any"}) -> !graph.tensor<3x2xf32> attributes {graph.eager} {
  %0 = graph.narrow %x start [2] length [2] {dim = 1 : i64} : !graph.tensor<3x?xf32>
  return %0 : !graph.tensor<3x2xf32>
}
