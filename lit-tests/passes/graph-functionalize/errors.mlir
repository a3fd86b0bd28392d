// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

func.func @"not-written-through-expand"(%x: !graph.tensor<4xf32>) {
  %e = graph.expand %x size [3, 4] : !graph.tensor<4xf32>
  // expected-error @+1 {{unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.}}
  %w = graph.relu_ %e : !graph.tensor<3x4xf32>
  return
}

// -----

func.func @"not-written-through-windows"(%x: !graph.tensor<4xf32>) {
  %u = graph.unfold %x {dimension = 0 : i64, size = 2 : i64, step = 1 : i64} : !graph.tensor<4xf32>
  // expected-error @+1 {{result depends on the order of evaluation: elements of the written-to tensor overlap}}
  %w = graph.relu_ %u : !graph.tensor<3x2xf32>
  return
}

// -----

func.func @"not-added-to-a-shifted-self"(%x: !graph.tensor<4xf32>) {
  %a = graph.slice %x start [1] end [4] step [1] : !graph.tensor<4xf32>
  %b = graph.slice %x start [0] end [3] step [1] : !graph.tensor<4xf32>
  // expected-error @+1 {{unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.}}
  %w = graph.add_ %a, %b : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return
}

// -----

func.func @"not-added-to-its-transpose"(%x: !graph.tensor<4x4xf32>) {
  %t = graph.t %x : !graph.tensor<4x4xf32>
  // expected-error @+1 {{unsupported operation: some elements of the input tensor}}
  %w = graph.add_ %x, %t : !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>
  return
}

// -----

// Eager lets this pass: its operands are not dense, and the result depends on its loops.
func.func @"not-added-to-shifted-columns"(%x: !graph.tensor<4x4xf32>) {
  %a = graph.slice %x start [1] end [4] step [1] {dim = 1 : i64} : !graph.tensor<4x4xf32>
  %b = graph.slice %x start [0] end [3] step [1] {dim = 1 : i64} : !graph.tensor<4x4xf32>
  // expected-error @+1 {{result depends on the order of evaluation: operand 1 overlaps the written-to tensor}}
  %w = graph.add_ %a, %b : !graph.tensor<4x3xf32>, !graph.tensor<4x3xf32>
  return
}

// -----

func.func @"not-added-to-a-shifted-argument"(
    %x: !graph.tensor<4xf32> {graph.storage = "s"},
    %y: !graph.tensor<4xf32> {graph.storage = "s", graph.layout = strided<[1], offset: 1>}) {
  // expected-error @+1 {{unsupported operation: some elements of the input tensor}}
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// -----

// Full overlap is no partial one.
func.func @"added-to-itself"(%x: !graph.tensor<4xf32>) {
  %a = graph.alias %x : !graph.tensor<4xf32>
  %w = graph.add_ %x, %x : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %v = graph.add_ %x, %a : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-written-where-aliasing-is-not-declared"(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) {
  // expected-error @+1 {{writes argument 0, which may share its storage with argument 1: declare graph.storage on both (one name: one storage; two names: disjoint), or test it by graph-specialize-aliases}}
  %w = graph.relu_ %x : !graph.tensor<4xf32>
  %e = graph.exp %y : !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-written-where-one-storage-is-not-declared"(
    %x: !graph.tensor<4xf32> {graph.storage = "s"}, %y: !graph.tensor<4xf32>) {
  %e = graph.exp %x : !graph.tensor<4xf32>
  // expected-error @+1 {{writes argument 1, which may share its storage with argument 0}}
  %w = graph.relu_ %y : !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-viewed-across-strides"(%x: !graph.tensor<4x4xf32>) {
  %t = graph.t %x : !graph.tensor<4x4xf32>
  // expected-error @+1 {{view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.}}
  %v = graph.view %t size [16] : !graph.tensor<4x4xf32>
  return
}

// -----

func.func @"not-strided-out-of-bounds"() {
  %z = graph.zeros [4] {dtype = f32}
  // expected-error @+1 {{setStorage: sizes [4], strides [2], storage offset 0, and itemsize 4 requiring a storage size of 28 are out of bounds for storage of size 16}}
  %a = graph.as_strided %z size [4] stride [2] storage_offset [0] : !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-selected-out-of-range"(%x: !graph.tensor<4xf32>) {
  %i = arith.constant 4 : i64
  // expected-error @+1 {{select(): index 4 out of range for tensor of size [4] at dimension 0}}
  %a = graph.select %x index [%i] : !graph.tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{argument 0: tensors must be on the CPU here}}
func.func @"not-on-another-device"(%x: !graph.tensor<4xf32, "cuda:0">) {
  return
}

// -----

func.func @"not-in-several-blocks"(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{'cf.br' op is not supported on graph tensors: make blocks and branches operations of scf by graph-structure}}
  cf.br ^end
^end:
  return
}

// -----

func.func private @g(!graph.tensor<4xf32>)
func.func @"not-through-calls"(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{'func.call' op is not supported on graph tensors: inline the callee first, by the pass inline}}
  call @g(%x) : (!graph.tensor<4xf32>) -> ()
  return
}

// -----

// The memref may be the argument's storage.
func.func @"not-beside-other-memory"(%x: !graph.tensor<4xf32>, %m: memref<f32>, %f: f32) {
  memref.store %f, %m[] : memref<f32>
  // expected-error @+1 {{is on an argument in a function with an operation that may read or write any storage}}
  %w = graph.neg_ %x : !graph.tensor<4xf32>
  return
}

// -----

// Only a number fills what repeats: a tensor is copied.
func.func @"not-filled-by-a-tensor-through-expand"(%x: !graph.tensor<4xf32>) {
  %k = arith.constant 1.0 : f64
  %s = graph.scalar_tensor %k {dtype = f32} : f64
  %e = graph.expand %x size [3, 4] : !graph.tensor<4xf32>
  // expected-error @+1 {{unsupported operation: more than one element of the written-to tensor}}
  %w = graph.fill_ %e, %s : !graph.tensor<3x4xf32>, !graph.tensor<f32>
  return
}

// -----

// Channels last in memory: whether eager's result is so too depends on the library that it calls.
func.func @"not-convolved-where-a-library-decides-strides"(
    %x: !graph.tensor<2x4x5x5x5xf32> {graph.layout = strided<[500, 1, 100, 20, 4]>},
    %w: !graph.tensor<8x4x3x3x3xf32>) -> !graph.tensor<2x8x3x3x3xf32> {
  // expected-error @+1 {{has strides in eager that depend on a library: make its operands contiguous}}
  %0 = graph.convolution %x, %w {stride = array<i64: 1>, padding = array<i64: 0>, dilation = array<i64: 1>, output_padding = array<i64: 0>}
    : !graph.tensor<2x4x5x5x5xf32>, !graph.tensor<8x4x3x3x3xf32>
  return %0 : !graph.tensor<2x8x3x3x3xf32>
}
