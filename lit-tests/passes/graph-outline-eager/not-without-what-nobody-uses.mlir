// What is compiled when it is called is refused where eager refuses it, used or not: a use keeps it.
// RUN: terrace-opt %s --pass-pipeline="builtin.module(graph-outline-eager,canonicalize)" 2>/dev/null | FileCheck %s

// A function that values were made of, which takes no negatives.
func.func private @core(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.sin %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @made(%x: !graph.tensor<4xf32> {graph.layout = "any"}) {
  %0 = graph.value %x : !graph.tensor<4xf32>
  %1 = func.call @core(%0) : (tensor<4xf32>) -> tensor<4xf32>
  graph.write_back %1 into %x : tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @unused(
// CHECK: call @made
// CHECK-NEXT: %[[NEW:.*]] = graph.linear
// CHECK-NEXT: graph.fake_use %[[NEW]] : !graph.tensor<?xf32>
func.func @unused(%x: !graph.tensor<4xf32>, %w: !graph.tensor<?x?xf32>) attributes {graph.eager, graph.partial} {
  %0 = graph._neg_view %x : !graph.tensor<4xf32>
  func.call @made(%0) : (!graph.tensor<4xf32>) -> ()
  %1 = graph.linear %x, %w : !graph.tensor<4xf32>, !graph.tensor<?x?xf32>
  return
}

// Nor what is handed on by others that nobody uses.
// CHECK-LABEL: func.func @handed_on(
// CHECK: %[[NEW:.*]] = graph.linear
// CHECK-NEXT: graph.fake_use %[[NEW]] : !graph.tensor<?xf32>
func.func @handed_on(%x: !graph.tensor<4xf32>, %w: !graph.tensor<?x?xf32>, %n: i1) attributes {graph.eager, graph.partial} {
  %0 = graph._neg_view %x : !graph.tensor<4xf32>
  func.call @made(%0) : (!graph.tensor<4xf32>) -> ()
  %1 = graph.linear %x, %w : !graph.tensor<4xf32>, !graph.tensor<?x?xf32>
  %2 = scf.if %n -> !graph.tensor<?xf32> {
    scf.yield %1 : !graph.tensor<?xf32>
  } else {
    %3 = graph.neg %1 : !graph.tensor<?xf32>
    scf.yield %3 : !graph.tensor<?xf32>
  }
  return
}

// A value refuses nothing.
// CHECK-LABEL: func.func @valued(
// CHECK: call @made
// CHECK-NEXT: return
func.func @valued(%x: !graph.tensor<4xf32>) attributes {graph.eager, graph.partial} {
  %0 = graph._neg_view %x : !graph.tensor<4xf32>
  func.call @made(%0) : (!graph.tensor<4xf32>) -> ()
  %1 = graph.value %x : !graph.tensor<4xf32>
  return
}
