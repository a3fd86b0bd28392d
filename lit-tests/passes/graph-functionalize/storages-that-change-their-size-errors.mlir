// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

func.func @"not-read-beyond-the-end"(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  graph.resize_storage %x bytes [12] : !graph.tensor<4xf32>
  // expected-error @+1 {{'graph.neg' op asks for elements beyond the end of a storage: make it larger by graph.resize_storage}}
  %0 = graph.neg %x : !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}

// -----

func.func @"not-written-beyond-the-end"(%x: !graph.tensor<4xf32>) {
  %0 = graph.clone %x : !graph.tensor<4xf32>
  graph.resize_storage %0 bytes [0] : !graph.tensor<4xf32>
  // expected-error @+1 {{'graph.copy_' op asks for elements beyond the end of a storage}}
  %1 = graph.copy_ %0, %x : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-viewed-beyond-the-end"(%x: !graph.tensor<4xf32>) {
  %0 = graph.clone %x : !graph.tensor<4xf32>
  graph.resize_storage %0 bytes [8] : !graph.tensor<4xf32>
  // expected-error @+1 {{out of bounds for storage of size 8}}
  %1 = graph.slice %0 start [1] end [3] step [1] : !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-on-one-way-only"(%c: i1, %x: !graph.tensor<4xf32>) {
  scf.if %c {
    // expected-error @+1 {{makes a storage another size that comes from outside of the control flow around it: do so outside}}
    graph.resize_storage %x bytes [0] : !graph.tensor<4xf32>
  }
  return
}

// -----

func.func @"not-of-one-of-several-tensors"(%c: i1, %x: !graph.tensor<4xf32>) {
  %0 = graph.clone %x : !graph.tensor<4xf32>
  %1 = graph.neg %x : !graph.tensor<4xf32>
  %2 = arith.select %c, %0, %1 : !graph.tensor<4xf32>
  // expected-error @+1 {{makes the storage of one of several tensors another size: do so before ways part}}
  graph.resize_storage %2 bytes [32] : !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-of-several-arguments"(%x: !graph.tensor<4xf32> {graph.storage = "s"}, %y: !graph.tensor<4xf32> {graph.storage = "s"}) {
  // expected-error @+1 {{makes a storage another size that is that of several arguments}}
  graph.resize_storage %x bytes [32] : !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-by-unknown-strides"(%x: !graph.tensor<4xf32> {graph.layout = "any"}) {
  // expected-error @+1 {{makes a storage another size by strides, which are not known here}}
  graph.resize_storage %x bytes [32] : !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-out-of-control-flow"(%c: i1, %x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  // expected-error @+1 {{brings along a tensor whose storage was made another size: bring a clone}}
  %0 = scf.if %c -> !graph.tensor<4xf32> {
    %1 = graph.clone %x : !graph.tensor<4xf32>
    graph.resize_storage %1 bytes [32] : !graph.tensor<4xf32>
    scf.yield %1 : !graph.tensor<4xf32>
  } else {
    scf.yield %x : !graph.tensor<4xf32>
  }
  return %0 : !graph.tensor<4xf32>
}

// -----

func.func @"not-returned-where-it-was-made-smaller"(%x: !graph.tensor<4xf32>) -> !graph.tensor<2xf32> {
  %0 = graph.clone %x : !graph.tensor<4xf32>
  %1 = graph.slice %0 start [0] end [2] step [1] : !graph.tensor<4xf32>
  graph.resize_storage %0 bytes [8] : !graph.tensor<4xf32>
  // expected-error @+1 {{returns a tensor whose storage was made smaller: return a clone}}
  return %1 : !graph.tensor<2xf32>
}

// -----

func.func @"not-larger-than-can-be-addressed"(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{a storage of 9223372036854775807 bytes is too large to be addressed}}
  graph.resize_storage %x bytes [9223372036854775807] : !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-by-a-number-of-the-run"(%x: !graph.tensor<4xf32>, %n: i64) {
  // expected-error @+1 {{makes a storage another size that is known at run time only: it must be static here}}
  graph.resize_storage %x bytes [%n] : !graph.tensor<4xf32>
  return
}
