// `out=`, as the importer spells it: what is computed, and a copy of it into the tensor that is given, which gets its sizes first.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

func.func @"into-a-view"(%x: !graph.tensor<3xf32> {graph.storage = "x"}, %b: !graph.tensor<2x4xf32> {graph.storage = "b"}) -> (!graph.tensor<4x2xf32>, !graph.tensor<3xf32>) {
  %row = graph.select %b index [1] : !graph.tensor<2x4xf32>
  %out = graph.slice %row start [1] end [4] step [1] : !graph.tensor<4xf32>
  %0 = graph.exp %x : !graph.tensor<3xf32>
  %1 = graph.copy_ %out, %0 : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  %t = graph.t %b : !graph.tensor<2x4xf32>
  return %t, %1 : !graph.tensor<4x2xf32>, !graph.tensor<3xf32>
}

func.func @"into-an-operand"(%x: !graph.tensor<3xf32> {graph.storage = "x"}, %y: !graph.tensor<3xf32> {graph.storage = "y"}) -> !graph.tensor<3xf32> {
  %old = graph.neg %x : !graph.tensor<3xf32>
  %0 = graph.mul %x, %y : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  %1 = graph.copy_ %x, %0 : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return %old : !graph.tensor<3xf32>
}

// Elements are computed in the dtype of the operands, and cast.
func.func @"into-a-wider-dtype"(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf64> {
  %out = graph.zeros [3] {dtype = f64}
  %0 = graph.exp %x : !graph.tensor<3xf32>
  %1 = graph.copy_ %out, %0 : !graph.tensor<3xf64>, !graph.tensor<3xf32>
  return %out : !graph.tensor<3xf64>
}

// Sums and products of those before are computed in the dtype of out.
func.func @"sums-in-the-dtype-of-out"(%x: !graph.tensor<2x3xui8>, %y: !graph.tensor<2x3xf32>) -> (!graph.tensor<2x3xi32>, !graph.tensor<2x3xf64>) {
  %a = graph.zeros [2, 3] {dtype = i32}
  %b = graph.zeros [2, 3] {dtype = f64}
  %0 = graph.cumsum %x {dim = 1 : i64, dtype = i32} : !graph.tensor<2x3xui8>
  %1 = graph.copy_ %a, %0 : !graph.tensor<2x3xi32>, !graph.tensor<2x3xi32>
  %2 = graph.cumprod %y {dim = 0 : i64, dtype = f64} : !graph.tensor<2x3xf32>
  %3 = graph.copy_ %b, %2 : !graph.tensor<2x3xf64>, !graph.tensor<2x3xf64>
  return %a, %b : !graph.tensor<2x3xi32>, !graph.tensor<2x3xf64>
}

// Their order matters where they overlap.
func.func @"into-several-views-of-one-buffer"(%x: !graph.tensor<5xf32> {graph.storage = "x"}, %b: !graph.tensor<6xf32> {graph.storage = "b"}) -> !graph.tensor<6xf32> {
  %first = graph.slice %b start [0] end [2] step [1] : !graph.tensor<6xf32>
  %second = graph.slice %b start [1] end [6] step [2] : !graph.tensor<6xf32>
  %0:2 = graph.split_with_sizes_copy %x {split_sizes = array<i64: 2, 3>} : !graph.tensor<5xf32>
  %1 = graph.copy_ %first, %0#0 : !graph.tensor<2xf32>, !graph.tensor<2xf32>
  %2 = graph.copy_ %second, %0#1 : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return %b : !graph.tensor<6xf32>
}

// A smaller result: the tensor gets its sizes and strides, and keeps its storage.
func.func @"into-a-tensor-that-is-larger"(%x: !graph.tensor<2x3xf32> {graph.storage = "x"}, %b: !graph.tensor<8xf32> {graph.storage = "b"}) -> (!graph.tensor<3x2xf32>, !graph.tensor<8xf32>) {
  %whole = graph.alias %b : !graph.tensor<8xf32>
  %t = graph.t %x : !graph.tensor<2x3xf32>
  %0 = graph.exp %t : !graph.tensor<3x2xf32>
  %1 = graph.resize_ %b size [3, 2] : !graph.tensor<8xf32>
  %2 = graph.as_strided_ %1 size [3, 2] stride [1, 3] storage_offset [0] : !graph.tensor<3x2xf32>
  %3 = graph.copy_ %2, %0 : !graph.tensor<3x2xf32>, !graph.tensor<3x2xf32>
  return %2, %whole : !graph.tensor<3x2xf32>, !graph.tensor<8xf32>
}
