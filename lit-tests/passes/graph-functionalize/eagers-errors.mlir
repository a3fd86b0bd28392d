// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

// What eager refuses is refused in its words, where it stands.

func.func @"not-written-through-a-stride-of-zero"(%x: !graph.tensor<4xf32>) {
  %s = graph.as_strided %x size [3] stride [0] storage_offset [1] : !graph.tensor<4xf32>
  // expected-error @+1 {{unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.}}
  %w = graph.relu_ %s : !graph.tensor<3xf32>
  return
}

// -----

func.func @"not-copied-over-a-shifted-self"(%x: !graph.tensor<4xf32>) {
  %a = graph.slice %x start [1] end [4] step [1] : !graph.tensor<4xf32>
  %b = graph.slice %x start [0] end [3] step [1] : !graph.tensor<4xf32>
  // expected-error @+1 {{unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.}}
  %w = graph.copy_ %a, %b : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return
}

// -----

func.func @"not-written-through-as-strided-that-overlaps"(%x: !graph.tensor<6xf32>) {
  %s = graph.as_strided %x size [2, 3] stride [1, 1] storage_offset [0] : !graph.tensor<6xf32>
  // expected-error @+1 {{result depends on the order of evaluation: elements of the written-to tensor overlap}}
  %w = graph.relu_ %s : !graph.tensor<2x3xf32>
  return
}

// -----

func.func @"not-written-in-a-branch"(%c: i1, %x: !graph.tensor<4xf32>) {
  %a = graph.slice %x start [1] end [4] step [1] : !graph.tensor<4xf32>
  %b = graph.slice %x start [0] end [3] step [1] : !graph.tensor<4xf32>
  scf.if %c {
    // expected-error @+1 {{unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.}}
    %w = graph.copy_ %a, %b : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  }
  return
}

// -----

func.func @"not-written-by-a-part-of-another-dtype"(%x: !graph.tensor<16xi8>) {
  %a = graph.slice %x start [4] end [8] step [1] : !graph.tensor<16xi8>
  %b = graph.view.dtype %a {dtype = i32} : !graph.tensor<4xi8>
  // expected-error @+1 {{unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.}}
  %w = graph.bitwise_or_ %x, %b : !graph.tensor<16xi8>, !graph.tensor<1xi32>
  return
}

// -----

func.func @"not-put-beyond-the-indices"(%x: !graph.tensor<4xf32>, %i: !graph.tensor<2xi64>, %v: !graph.tensor<3xf32>) {
  // expected-error @+1 {{shape mismatch: value tensor of shape [3] cannot be broadcast to indexing result of shape [2]}}
  %w = graph.index_put_ %x[%i], %v {present = array<i1: true>} : !graph.tensor<4xf32>[!graph.tensor<2xi64>], !graph.tensor<3xf32>
  return
}

// -----

func.func @"not-drawn-into-what-repeats"(%x: !graph.tensor<4xf32>) {
  %e = graph.expand %x size [3, 4] : !graph.tensor<4xf32>
  // expected-error @+1 {{unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.}}
  %w = graph.normal_ %e : !graph.tensor<3x4xf32>
  return
}

// -----

func.func @"not-scattered-from-a-part-of-itself"(%x: !graph.tensor<4xf32>, %i: !graph.tensor<2xi64>) {
  %a = graph.slice %x start [1] end [3] step [1] : !graph.tensor<4xf32>
  // expected-error @+1 {{unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.}}
  %w = graph.scatter_.src %x, %i, %a {dim = 0} : !graph.tensor<4xf32>, !graph.tensor<2xi64>, !graph.tensor<2xf32>
  return
}

// -----

func.func @"not-added-at-indices-from-a-part-of-itself"(%x: !graph.tensor<4xf32>, %i: !graph.tensor<2xi64>) {
  %a = graph.slice %x start [1] end [3] step [1] : !graph.tensor<4xf32>
  // expected-error @+1 {{unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.}}
  %w = graph.index_add_ %x, %i, %a {dim = 0} : !graph.tensor<4xf32>, !graph.tensor<2xi64>, !graph.tensor<2xf32>
  return
}

// -----

func.func @"not-filled-by-a-shifted-mask-of-itself"(%x: !graph.tensor<4xi1>, %k: f64) {
  %a = graph.slice %x start [1] end [4] step [1] : !graph.tensor<4xi1>
  %b = graph.slice %x start [0] end [3] step [1] : !graph.tensor<4xi1>
  // expected-error @+1 {{unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.}}
  %w = graph.masked_fill_ %a, %b, %k : !graph.tensor<3xi1>, !graph.tensor<3xi1>, f64
  return
}

// -----

func.func @"not-put-at-indices-that-it-holds"(%x: !graph.tensor<4xi64>) {
  %a = graph.slice %x start [1] end [3] step [1] : !graph.tensor<4xi64>
  // expected-error @+1 {{unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.}}
  %w = graph.index_put_ %x[%a], %a {present = array<i1: true>} : !graph.tensor<4xi64>[!graph.tensor<2xi64>], !graph.tensor<2xi64>
  return
}

// -----

func.func @"not-a-product-of-what-it-is-added-to"(%x: !graph.tensor<2x2xf32>) {
  // expected-error @+1 {{result depends on the order of evaluation: an operand overlaps a written-to tensor}}
  %w = graph.addmm_ %x, %x, %x : !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>
  return
}

// -----

func.func @"not-grown-in-place"(%x: !graph.tensor<3xf32>, %y: !graph.tensor<2x3xf32>) {
  // expected-error @+1 {{output with shape [3] doesn't match the broadcast shape [2, 3]}}
  %w = graph.add_ %x, %y : !graph.tensor<3xf32>, !graph.tensor<2x3xf32>
  return
}

// -----

func.func @"not-cast-to-integers"(%x: !graph.tensor<3xi32>, %y: !graph.tensor<3xf32>) {
  // expected-error @+1 {{result type Float can't be cast to the desired output type Int}}
  %w = graph.add_ %x, %y : !graph.tensor<3xi32>, !graph.tensor<3xf32>
  return
}

// -----

func.func @"not-viewed-as-larger-elements"(%x: !graph.tensor<3xf32>) {
  // expected-error @+1 {{self.size(-1) must be divisible by 2 to view Float as Double (different element sizes), but got 3}}
  %w = graph.view.dtype %x {dtype = f64} : !graph.tensor<3xf32>
  return
}
