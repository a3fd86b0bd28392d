// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

func.func @"not-out-of-control-flow-as-a-view-at-an-unknown-index"(%c: i1, %i: i64, %x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{brings along a view at an index that is known at run time only: copy it by graph.clone}}
  %r = scf.if %c -> !graph.tensor<f32> {
    %0 = graph.select %x index [%i] : !graph.tensor<4xf32>
    scf.yield %0 : !graph.tensor<f32>
  } else {
    %0 = graph.select %x index [0] : !graph.tensor<4xf32>
    scf.yield %0 : !graph.tensor<f32>
  }
  return
}

// -----

// The two rows may be one, shifted.
func.func @"not-read-where-a-view-at-an-unknown-index-is-written"(%i: i64, %j: i64, %x: !graph.tensor<4x4xf32>) {
  %a = graph.select %x index [%i] : !graph.tensor<4x4xf32>
  %b = graph.select %x index [%j] : !graph.tensor<4x4xf32>
  %from = graph.slice %a start [0] end [3] step [1] : !graph.tensor<4xf32>
  %to = graph.slice %b start [1] end [4] step [1] : !graph.tensor<4xf32>
  // expected-error @+1 {{unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location}}
  %w = graph.copy_ %to, %from : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return
}

// -----

func.func @"not-places-of-a-storage-from-an-unknown-index"(%i: i64, %x: !graph.tensor<4x4xf32>) {
  %a = graph.select %x index [%i] : !graph.tensor<4x4xf32>
  // expected-error @+1 {{names places of a storage from an index that is known at run time only}}
  %b = graph.as_strided %a size [2] stride [1] storage_offset [0] : !graph.tensor<4xf32>
  return
}

// -----

// Seven truth values say which tensors these are.
func.func @"not-of-tensors-that-may-be-very-many"(%x: !graph.tensor<4xf32> {graph.storage = "x"}, %y: !graph.tensor<4xf32> {graph.storage = "y"}, %a: i1, %b: i1, %c: i1, %d: i1, %e: i1, %f: i1, %g: i1) {
  %0 = arith.select %a, %x, %y : !graph.tensor<4xf32>
  %1 = arith.select %b, %x, %y : !graph.tensor<4xf32>
  %2 = arith.select %c, %x, %y : !graph.tensor<4xf32>
  %3 = arith.select %d, %x, %y : !graph.tensor<4xf32>
  %4 = arith.select %e, %x, %y : !graph.tensor<4xf32>
  %5 = arith.select %f, %x, %y : !graph.tensor<4xf32>
  %6 = arith.select %g, %x, %y : !graph.tensor<4xf32>
  // expected-error @+1 {{is on tensors that may be more than 64 different ones, as control flow goes: copy them by graph.clone}}
  %7 = graph.cat %0, %1, %2, %3, %4, %5, %6 : !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}
