// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

// What is scattered may not be what it goes into, not even at the same places.
func.func @"not-scattered-into-itself"(%x: !graph.tensor<4xf32> {graph.storage = "x"}, %i: !graph.tensor<4xi64> {graph.storage = "i"}) {
  // expected-error @+1 {{unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location}}
  %0 = graph.scatter_.src %x, %i, %x {dim = 0} : !graph.tensor<4xf32>, !graph.tensor<4xi64>, !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-put-from-an-overlapping-view"(%x: !graph.tensor<4x4xf32> {graph.storage = "x"}, %i: !graph.tensor<2xi64> {graph.storage = "i"}) {
  %a = graph.slice %x start [0] end [4] step [2] {dim = 1} : !graph.tensor<4x4xf32>
  %b = graph.slice %x start [0] end [2] step [1] {dim = 1} : !graph.tensor<4x4xf32>
  // expected-error @+1 {{result depends on the order of evaluation: operand 2 overlaps the written-to tensor}}
  %0 = graph.index_put_ %a[%i], %b {present = array<i1: false, true>} : !graph.tensor<4x2xf32>[!graph.tensor<2xi64>], !graph.tensor<4x2xf32>
  return
}

// -----

func.func @"not-a-part-of-a-storage"(%x: !graph.tensor<4x4xf32>, %s: !graph.tensor<2xf32>) -> !graph.tensor<2x4xf32> {
  %a = graph.slice %x start [1] end [3] step [1] {dim = 0} : !graph.tensor<4x4xf32>
  // expected-error @+1 {{copies the whole storage of a tensor that is a part of it: make it contiguous}}
  %0 = graph.select_scatter %a, %s index [0] {dim = 1} : !graph.tensor<2x4xf32>, !graph.tensor<2xf32>
  return %0 : !graph.tensor<2x4xf32>
}

// -----

func.func @"not-an-order-that-is-not-known"(%x: !graph.tensor<4xf32>, %p: f64) -> !graph.tensor<f32> {
  // expected-error @+1 {{has an order that is known at run time only: it must be static here}}
  %0 = graph.linalg_vector_norm %x ord %p : f64 : !graph.tensor<4xf32>
  return %0 : !graph.tensor<f32>
}
