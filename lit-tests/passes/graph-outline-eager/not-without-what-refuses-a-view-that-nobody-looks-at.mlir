// A view that nobody looks at is refused where eager refuses it: a call keeps it.
// RUN: terrace-opt %s --pass-pipeline="builtin.module(graph-outline-eager,canonicalize)" --split-input-file | FileCheck %s

// Strides decide.
// CHECK-LABEL: func.func @joined(
// CHECK: %[[V:.*]] = graph.view %{{.*}} size [12]
// CHECK-NEXT: call @joined.look(%[[V]])
// CHECK: func.func private @joined.look(%{{.*}}: !graph.tensor<12xf32> {graph.layout = "any"}) attributes {no_inline}
// CHECK-NEXT: return
func.func @joined(%x: !graph.tensor<3x4xf32> {graph.layout = "any"}) attributes {graph.eager} {
  %0 = graph.view %x size [12] : !graph.tensor<3x4xf32>
  return
}

// -----

// The number of parts.
// CHECK-LABEL: func.func @parts(
// CHECK: %[[V:.*]] = graph.view_as_complex
// CHECK-NEXT: call @parts.look(%[[V]])
func.func @parts(%x: !graph.tensor<3x?xf32> {graph.layout = "any"}) attributes {graph.eager} {
  %0 = graph.view_as_complex %x : !graph.tensor<3x?xf32>
  return
}

// -----

// Sizes.
// CHECK-LABEL: func.func @narrowed(
// CHECK: %[[V:.*]] = graph.narrow
// CHECK-NEXT: call @narrowed.look(%[[V]])
func.func @narrowed(%x: !graph.tensor<3x?xf32> {graph.layout = "any"}) attributes {graph.eager} {
  %0 = graph.narrow %x start [2] length [2] {dim = 1 : i64} : !graph.tensor<3x?xf32>
  return
}

// -----

// What somebody looks at is called by nobody else.
// CHECK-LABEL: func.func @returned(
// CHECK-NOT: call
func.func @returned(%x: !graph.tensor<3x?xf32> {graph.layout = "any"}) -> !graph.tensor<3x2xf32> attributes {graph.eager} {
  %0 = graph.narrow %x start [2] length [2] {dim = 1 : i64} : !graph.tensor<3x?xf32>
  return %0 : !graph.tensor<3x2xf32>
}
