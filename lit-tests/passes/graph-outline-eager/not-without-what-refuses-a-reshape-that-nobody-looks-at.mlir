// A reshape of sizes that do not fit is refused also where nobody uses it.
// RUN: terrace-opt %s --pass-pipeline="builtin.module(graph-outline-eager,canonicalize)" | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: graph.check_view
// CHECK: %[[R:.*]] = scf.if
// CHECK: graph.fake_use %[[R]]
// CHECK: %[[S:.*]] = scf.if
// CHECK: graph.fake_use %[[S]]
func.func @main(%x: !graph.tensor<?xf32>) attributes {graph.eager} {
  %0 = graph.reshape %x shape [0] : !graph.tensor<?xf32>
  %1 = graph._neg_view %x : !graph.tensor<?xf32>
  %2 = graph.reshape %1 shape [0] : !graph.tensor<?xf32>
  return
}
