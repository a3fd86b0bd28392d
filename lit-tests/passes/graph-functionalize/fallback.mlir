// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics | FileCheck %s

// Why: strides decide whether there is a view, and nothing is known of them. The function stays as it is, to run as it is written.
// CHECK-LABEL: func.func @joined(
// CHECK-SAME: attributes {graph.eager, graph.partial}
// CHECK-NEXT: graph.as_strided
// CHECK-NEXT: graph.neg
// CHECK-NEXT: return
// CHECK-NOT: func.func
// expected-warning @+1 {{runs as it is written, operation by operation: 'graph.as_strided' op names places of a storage by strides of it, which are not known here}}
func.func @joined(%x: !graph.tensor<2x3xf32> {graph.layout = "any"}) -> !graph.tensor<4xf32> attributes {graph.fallback} {
  %0 = graph.as_strided %x size [4] stride [1] storage_offset [0] : !graph.tensor<2x3xf32>
  %1 = graph.neg %0 : !graph.tensor<4xf32>
  return %1 : !graph.tensor<4xf32>
}

// -----

// What values can be made of is made functional.
// CHECK-LABEL: func.func private @made.core(
// CHECK-LABEL: func.func @made(
// CHECK-NOT: graph.fallback
func.func @made(%x: !graph.tensor<2x3xf32> {graph.layout = "any"}) -> !graph.tensor<2x3xf32> attributes {graph.fallback} {
  %0 = graph.neg %x : !graph.tensor<2x3xf32>
  return %0 : !graph.tensor<2x3xf32>
}

// -----

func.func @"not-without-fallback"(%x: !graph.tensor<2x3xf32> {graph.layout = "any"}) -> !graph.tensor<4xf32> {
  // expected-error @+1 {{names places of a storage by strides of it, which are not known here}}
  %0 = graph.as_strided %x size [4] stride [1] storage_offset [0] : !graph.tensor<2x3xf32>
  return %0 : !graph.tensor<4xf32>
}
