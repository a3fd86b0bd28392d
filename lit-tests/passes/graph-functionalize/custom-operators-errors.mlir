// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

func.func @"not-a-view-of-strides-that-no-schema-says"(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{result 0 is a view by the schema, of strides that it does not say}}
  %0 = graph.custom @half(%x) {schema = "(Tensor(a) x) -> Tensor(a)"} : (!graph.tensor<4xf32>) -> !graph.tensor<2xf32>
  return
}

// -----

func.func @"not-returned-with-strides-that-the-operator-chooses"(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  // expected-error @+1 {{is returned with strides that the operator chooses: return a clone in a memory format}}
  %0 = graph.custom @mine(%x) {schema = "(Tensor x) -> Tensor"} : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}

// -----

func.func @"not-written-where-elements-repeat"(%x: !graph.tensor<4xf32>) {
  %e = graph.expand %x size [2, 4] : !graph.tensor<4xf32>
  // expected-error @+1 {{more than one element of the written-to tensor refers to a single memory location}}
  graph.custom @mine_(%e) {schema = "(Tensor(a!) x) -> ()"} : (!graph.tensor<2x4xf32>) -> ()
  return
}

// -----

func.func @"not-an-argument-that-anything-may-write"(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  graph.custom @anything() : () -> ()
  // expected-error @+1 {{is on an argument in a function with an operation that may read or write any storage}}
  %0 = graph.neg %x : !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}

// -----

func.func @"not-a-write-that-anything-may-read"(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{is on an argument in a function with an operation that may read or write any storage}}
  %0 = graph.neg_ %x : !graph.tensor<4xf32>
  graph.custom @anything() : () -> ()
  return
}

// -----

func.func @"not-an-argument-of-anything"(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{may read or write any storage, and takes an argument: give it a 'schema'}}
  graph.custom @anything(%x) : (!graph.tensor<4xf32>) -> ()
  return
}

// -----

// What is read at the beginning of a round comes after the end of the one before.
func.func @"not-an-argument-that-anything-may-write-in-a-loop"(%n: index, %x: !graph.tensor<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    // expected-error @+1 {{is on an argument in a function with an operation that may read or write any storage}}
    %0 = graph.neg %x : !graph.tensor<4xf32>
    graph.custom @anything() : () -> ()
  }
  return
}

// -----

// Of a storage with gaps not all is known: both arguments would have to be in one.
func.func @"not-two-parts-of-a-storage-with-gaps"(%x: !graph.tensor<4xf32> {graph.layout = strided<[2], offset: 0>}) {
  %a = graph.slice %x start [0] end [2] step [1] : !graph.tensor<4xf32>
  %b = graph.slice %x start [1] end [3] step [1] : !graph.tensor<4xf32>
  // expected-error @+1 {{operand 0 shares elements with operand 1, one of them is written}}
  graph.custom @mine_(%a, %b) {schema = "(Tensor(a!) x, Tensor y) -> ()"} : (!graph.tensor<2xf32>, !graph.tensor<2xf32>) -> ()
  return
}
