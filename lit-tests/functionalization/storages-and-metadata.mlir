// Tensors that change their sizes, strides or storage: views from before are unaffected.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

func.func @"transposed-in-place"(%x: !graph.tensor<2x3xf32>) -> (!graph.tensor<3x2xf32>, !graph.tensor<3xf32>) {
  %c = graph.clone %x : !graph.tensor<2x3xf32>
  %row = graph.select %c index [1] : !graph.tensor<2x3xf32>
  %t = graph.t_ %c : !graph.tensor<2x3xf32>
  %w = graph.neg_ %t : !graph.tensor<3x2xf32>
  return %t, %row : !graph.tensor<3x2xf32>, !graph.tensor<3xf32>
}

func.func @"dimensions-come-and-go"(%x: !graph.tensor<2x1x3xf32>) -> (!graph.tensor<1x2x3xf32>, !graph.tensor<2x1x3xf32>) {
  %c = graph.clone %x : !graph.tensor<2x1x3xf32>
  %before = graph.alias %c : !graph.tensor<2x1x3xf32>
  %0 = graph.squeeze_ %c : !graph.tensor<2x1x3xf32>
  %1 = graph.unsqueeze_ %0 {dim = 0 : i64} : !graph.tensor<2x3xf32>
  %w = graph.exp_ %1 : !graph.tensor<1x2x3xf32>
  return %1, %before : !graph.tensor<1x2x3xf32>, !graph.tensor<2x1x3xf32>
}

func.func @"swapped-and-restrided"(%x: !graph.tensor<4x3xf32>) -> !graph.tensor<2xf32> {
  %c = graph.clone %x : !graph.tensor<4x3xf32>
  %0 = graph.swapaxes_ %c {axis0 = 0 : i64, axis1 = 1 : i64} : !graph.tensor<4x3xf32>
  %1 = graph.transpose_ %0 {dim0 = 0 : i64, dim1 = 1 : i64} : !graph.tensor<3x4xf32>
  %2 = graph.as_strided_ %1 size [2] stride [5] storage_offset [2] : !graph.tensor<4x3xf32>
  %w = graph.neg_ %2 : !graph.tensor<2xf32>
  return %2 : !graph.tensor<2xf32>
}

// Smaller is a view, the storage stays.
func.func @"resized-to-less"(%x: !graph.tensor<4x3xf32>) -> (!graph.tensor<2x2xf32>, !graph.tensor<4x3xf32>) {
  %c = graph.clone %x : !graph.tensor<4x3xf32>
  %before = graph.alias %c : !graph.tensor<4x3xf32>
  %0 = graph.resize_ %c size [2, 2] : !graph.tensor<4x3xf32>
  %w = graph.neg_ %0 : !graph.tensor<2x2xf32>
  return %0, %before : !graph.tensor<2x2xf32>, !graph.tensor<4x3xf32>
}

// It leaves one set of aliases and joins another.
func.func @"a-storage-that-is-set"(%x: !graph.tensor<3xf32>, %y: !graph.tensor<3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>, !graph.tensor<3xf32>) {
  %a = graph.clone %x : !graph.tensor<3xf32>
  %b = graph.clone %y : !graph.tensor<3xf32>
  %old = graph.alias %a : !graph.tensor<3xf32>
  %0 = graph.set_ %a source %b : !graph.tensor<3xf32> : !graph.tensor<3xf32>
  %w = graph.exp_ %0 : !graph.tensor<3xf32>
  %v = graph.neg_ %old : !graph.tensor<3xf32>
  return %0, %b, %old : !graph.tensor<3xf32>, !graph.tensor<3xf32>, !graph.tensor<3xf32>
}

func.func @"a-storage-that-is-set-there-and-back"(%x: !graph.tensor<3xf32>, %y: !graph.tensor<3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>) {
  %a = graph.clone %x : !graph.tensor<3xf32>
  %b = graph.clone %y : !graph.tensor<3xf32>
  %old = graph.alias %a : !graph.tensor<3xf32>
  %0 = graph.set_ %a source %b : !graph.tensor<3xf32> : !graph.tensor<3xf32>
  %w = graph.exp_ %0 : !graph.tensor<3xf32>
  %1 = graph.set_ %0 source %old : !graph.tensor<3xf32> : !graph.tensor<3xf32>
  %v = graph.neg_ %1 : !graph.tensor<3xf32>
  return %old, %b : !graph.tensor<3xf32>, !graph.tensor<3xf32>
}

// A storage that is given up and taken again, then filled.
func.func @"resized-to-nothing-and-back"(%x: !graph.tensor<3xf32>, %y: !graph.tensor<3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>) {
  %c = graph.clone %x : !graph.tensor<3xf32>
  %view = graph.alias %c : !graph.tensor<3xf32>
  %0 = graph.resize_ %c size [0] : !graph.tensor<3xf32>
  %1 = graph.resize_ %0 size [3] : !graph.tensor<0xf32>
  %2 = graph.copy_ %1, %y : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  %w = graph.exp_ %view : !graph.tensor<3xf32>
  return %2, %view : !graph.tensor<3xf32>, !graph.tensor<3xf32>
}

func.func @"an-argument-resized-to-nothing-and-back"(%x: !graph.tensor<2x3xf32> {graph.storage = "x"}, %y: !graph.tensor<3x2xf32> {graph.storage = "y"}) {
  %0 = graph.resize_ %x size [0] : !graph.tensor<2x3xf32>
  %1 = graph.resize_ %0 size [3, 2] : !graph.tensor<0xf32>
  %2 = graph.copy_ %1, %y : !graph.tensor<3x2xf32>, !graph.tensor<3x2xf32>
  return
}

// Without a source there are no elements, and nothing is shared any more.
func.func @"a-storage-that-is-given-up"(%x: !graph.tensor<3xf32>) -> (!graph.tensor<0xf32>, !graph.tensor<3xf32>) {
  %c = graph.clone %x : !graph.tensor<3xf32>
  %view = graph.alias %c : !graph.tensor<3xf32>
  %0 = graph.set_ %c : !graph.tensor<3xf32>
  %w = graph.exp_ %view : !graph.tensor<3xf32>
  return %0, %view : !graph.tensor<0xf32>, !graph.tensor<3xf32>
}

func.func @"a-part-of-another-storage"(%x: !graph.tensor<3xf32>, %y: !graph.tensor<12xf32>) -> (!graph.tensor<2x2xf32>, !graph.tensor<12xf32>) {
  %a = graph.clone %x : !graph.tensor<3xf32>
  %b = graph.clone %y : !graph.tensor<12xf32>
  %0 = graph.set_ %a source %b : !graph.tensor<12xf32> {storage_offset = 3 : i64, size = array<i64: 2, 2>, stride = array<i64: 4, 1>} : !graph.tensor<3xf32>
  %w = graph.exp_ %0 : !graph.tensor<2x2xf32>
  return %0, %b : !graph.tensor<2x2xf32>, !graph.tensor<12xf32>
}

func.func @"resized-like-another"(%x: !graph.tensor<3x4xf32>, %y: !graph.tensor<2x5xf32>) -> (!graph.tensor<2x5xf32>, !graph.tensor<3x4xf32>) {
  %c = graph.clone %x : !graph.tensor<3x4xf32>
  %view = graph.alias %c : !graph.tensor<3x4xf32>
  %0 = graph.resize_as_ %c, %y : !graph.tensor<3x4xf32>, !graph.tensor<2x5xf32>
  %w = graph.neg_ %0 : !graph.tensor<2x5xf32>
  return %0, %view : !graph.tensor<2x5xf32>, !graph.tensor<3x4xf32>
}

// It begins where it began.
func.func @"resized-at-an-offset"(%x: !graph.tensor<12xf32>) -> (!graph.tensor<2x2xf32>, !graph.tensor<12xf32>) {
  %c = graph.clone %x : !graph.tensor<12xf32>
  %part = graph.slice %c start [3] end [9] step [2] : !graph.tensor<12xf32>
  %0 = graph.resize_ %part size [2, 2] : !graph.tensor<3xf32>
  %w = graph.exp_ %0 : !graph.tensor<2x2xf32>
  return %0, %c : !graph.tensor<2x2xf32>, !graph.tensor<12xf32>
}

// Equal sizes keep their strides.
func.func @"resized-to-the-same"(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<3x2xf32> {
  %t = graph.t %x : !graph.tensor<2x3xf32>
  %0 = graph.resize_ %t size [3, 2] : !graph.tensor<3x2xf32>
  %w = graph.exp_ %0 : !graph.tensor<3x2xf32>
  return %0 : !graph.tensor<3x2xf32>
}

func.func @"resized-in-a-format"(%x: !graph.tensor<48xf32>) -> (!graph.tensor<2x3x2x2xf32>, !graph.tensor<48xf32>) {
  %c = graph.clone %x : !graph.tensor<48xf32>
  %before = graph.alias %c : !graph.tensor<48xf32>
  %0 = graph.resize_ %c size [2, 3, 2, 2] {memory_format = "channels_last"} : !graph.tensor<48xf32>
  %w = graph.exp_ %0 : !graph.tensor<2x3x2x2xf32>
  return %0, %before : !graph.tensor<2x3x2x2xf32>, !graph.tensor<48xf32>
}

// Fills of diagonals that go on after a row of their own.
func.func @"diagonals-of-a-tall-matrix"(%x: !graph.tensor<9x2xf32>) -> !graph.tensor<9x2xf32> {
  %k = arith.constant 7.0 : f64
  %c = graph.clone %x : !graph.tensor<9x2xf32>
  %0 = graph.fill_diagonal_ %c, %k {wrap = true} : !graph.tensor<9x2xf32>, f64
  return %c : !graph.tensor<9x2xf32>
}

// Two tensors of one layout: it becomes the other one's.
func.func @"set-to-one-of-the-same-layout"(%x: !graph.tensor<3xf32> {graph.storage = "x"}, %y: !graph.tensor<3xf32> {graph.storage = "y"}) -> !graph.tensor<3xf32> {
  %0 = graph.set_ %x source %y : !graph.tensor<3xf32> : !graph.tensor<3xf32>
  %w = graph.exp_ %0 : !graph.tensor<3xf32>
  return %0 : !graph.tensor<3xf32>
}
