// What is compiled when it is called is refused where eager refuses it, used or not: a use keeps it.
// RUN: terrace-opt %s --pass-pipeline="builtin.module(graph-outline-eager,canonicalize)" 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @unused(
// CHECK: graph._foreach_addcmul_
// CHECK-NEXT: %[[NEW:.*]] = graph.linear
// CHECK-NEXT: graph.fake_use %[[NEW]] : !graph.tensor<?xf32>
func.func @unused(%x: !graph.tensor<?xf32>, %k: !graph.tensor<1xf32>, %w: !graph.tensor<?x?xf32>) attributes {graph.eager, graph.partial} {
  graph._foreach_addcmul_.Tensor [%x], [%x], [%x], %k : [!graph.tensor<?xf32>], [!graph.tensor<?xf32>], [!graph.tensor<?xf32>], !graph.tensor<1xf32>
  %0 = graph.linear %x, %w : !graph.tensor<?xf32>, !graph.tensor<?x?xf32>
  return
}

// Nor what is handed on by others that nobody uses.
// CHECK-LABEL: func.func @handed_on(
// CHECK: %[[NEW:.*]] = graph.linear
// CHECK-NEXT: graph.fake_use %[[NEW]] : !graph.tensor<?xf32>
func.func @handed_on(%x: !graph.tensor<?xf32>, %k: !graph.tensor<1xf32>, %w: !graph.tensor<?x?xf32>, %n: i1) attributes {graph.eager, graph.partial} {
  graph._foreach_addcmul_.Tensor [%x], [%x], [%x], %k : [!graph.tensor<?xf32>], [!graph.tensor<?xf32>], [!graph.tensor<?xf32>], !graph.tensor<1xf32>
  %0 = graph.linear %x, %w : !graph.tensor<?xf32>, !graph.tensor<?x?xf32>
  %1 = scf.if %n -> !graph.tensor<?xf32> {
    scf.yield %0 : !graph.tensor<?xf32>
  } else {
    %2 = graph.neg %0 : !graph.tensor<?xf32>
    scf.yield %2 : !graph.tensor<?xf32>
  }
  return
}

// A value refuses nothing.
// CHECK-LABEL: func.func @valued(
// CHECK: graph._foreach_addcmul_
// CHECK-NEXT: return
func.func @valued(%x: !graph.tensor<?xf32>, %k: !graph.tensor<1xf32>) attributes {graph.eager, graph.partial} {
  graph._foreach_addcmul_.Tensor [%x], [%x], [%x], %k : [!graph.tensor<?xf32>], [!graph.tensor<?xf32>], [!graph.tensor<?xf32>], !graph.tensor<1xf32>
  %0 = graph.value %x : !graph.tensor<?xf32>
  return
}
