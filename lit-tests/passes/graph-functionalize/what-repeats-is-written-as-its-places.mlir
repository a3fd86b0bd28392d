// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// A write through an argument that repeats elements is of all of their indices: what stands for the storage has each element once, also where
// sizes are open. The layout of the argument, which a write of one index left as it was at the others, does where it is read alone.

// CHECK-LABEL: func.func private @filled.core(
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>
// CHECK: %[[W:.*]] = functional.slice_scatter %[[X]]
// CHECK: %[[S:.*]] = functional.slice %[[W]]
// CHECK: %[[U:.*]] = functional.unsqueeze %[[S]]
// CHECK: functional.expand %[[U]]
func.func @filled(%x: !graph.tensor<?x?xf32> {graph.storage = "s0", graph.layout = strided<[3, 0]>}, %k: f64) -> !graph.tensor<?x?xf32> {
  %w = graph.fill_ %x, %k : !graph.tensor<?x?xf32>, f64
  %n = graph.neg %w : !graph.tensor<?x?xf32>
  return %n : !graph.tensor<?x?xf32>
}

// CHECK-LABEL: func.func private @read.core(
// CHECK-SAME: tensor<?x?xf32>
func.func @read(%x: !graph.tensor<?x?xf32> {graph.storage = "s0", graph.layout = strided<[3, 0]>}) -> !graph.tensor<?x?xf32> {
  %n = graph.neg %x : !graph.tensor<?x?xf32>
  return %n : !graph.tensor<?x?xf32>
}
