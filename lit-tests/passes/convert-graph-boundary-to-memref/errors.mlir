// RUN: terrace-opt %s --convert-graph-boundary-to-memref --split-input-file --verify-diagnostics

func.func @operator(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  // expected-error @+1 {{'graph.relu' op is no operation of a boundary: run graph-functionalize first}}
  %0 = graph.relu %x : !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}

// -----

func.func @"a view of sizes of the run"(%x: !graph.tensor<?x4xf32>) -> !graph.tensor<4x?xf32> {
  // expected-error @+1 {{'graph.t' op is a view of a tensor of sizes of the run: run graph-functionalize first, which leaves graph.as_strided}}
  %0 = graph.t %x : !graph.tensor<?x4xf32>
  return %0 : !graph.tensor<4x?xf32>
}

// -----

func.func @"not-joined-where-strides-are-unknown"(%x: !graph.tensor<4x6xf32> {graph.layout = "any"}) -> !graph.tensor<24xf32> {
  // expected-error @+1 {{joins dimensions, which depends on strides, which are not known here}}
  %v = graph.view %x size [24] : !graph.tensor<4x6xf32>
  return %v : !graph.tensor<24xf32>
}

// -----

func.func @"read after a write"(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %v = graph.value %x : !graph.tensor<4xf32>
  graph.write_back %v into %x : tensor<4xf32>, !graph.tensor<4xf32>
  // expected-error @+1 {{reads a storage that may have been written before: a boundary reads all values first}}
  %w = graph.value %x : !graph.tensor<4xf32>
  %o = graph.fresh %w : tensor<4xf32>
  return %o : !graph.tensor<4xf32>
}

// -----

func.func @"not-one-of-two-that-are-not-seen-alike"(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<4xf32> {
  %0 = graph._neg_view %x : !graph.tensor<4xf32>
  // expected-error @+1 {{chooses between tensors of different sizes, dtypes or flags}}
  %r = arith.select %c, %x, %0 : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}
