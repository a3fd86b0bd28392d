// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @one(%x: !graph.tensor<4xf32>) -> i1 {
  // expected-error @+1 {{'graph.check_disjoint' op compares two tensors or more, got 1}}
  %0 = graph.check_disjoint %x : !graph.tensor<4xf32>
  return %0 : i1
}

// -----

func.func @empty(%x: !graph.tensor<4xf32>) -> i1 {
  // expected-error @+1 {{'graph.check_disjoint' op 'sets' has a set of 0 tensors}}
  %0 = graph.check_disjoint %x, %x {sets = array<i64: 0, 2>} : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %0 : i1
}

// -----

func.func @sets(%x: !graph.tensor<4xf32>) -> i1 {
  // expected-error @+1 {{'graph.check_disjoint' op 'sets' is not about as many tensors as there are, 2}}
  %0 = graph.check_disjoint %x, %x {sets = array<i64: 1, 2>} : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %0 : i1
}

// -----

func.func @written(%x: !graph.tensor<4xf32>) -> i1 {
  // expected-error @+1 {{'graph.check_disjoint' op 'written' has 1 entries for 2 tensors}}
  %0 = graph.check_disjoint %x, %x {written = array<i1: true>} : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %0 : i1
}

// -----

func.func @types(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf64>) -> i1 {
  // expected-error @+1 {{'graph.check_same' op compares tensors of one type, got !graph.tensor<4xf32> and !graph.tensor<4xf64>}}
  %0 = graph.check_same %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf64>
  return %0 : i1
}

// -----

func.func @bytes(%x: !graph.tensor<4xf32>) -> i1 {
  // expected-error @+1 {{'graph.check_storage' op asks for a storage of -1 bytes: 0 is the least}}
  %0 = graph.check_storage %x bytes [-1] : !graph.tensor<4xf32>
  return %0 : i1
}

// -----

func.func @numbers_of_bytes(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{'graph.assert_storage' op 'bytes' is one number, got 2 and 0 operands for them}}
  graph.assert_storage %x bytes [1, 2] : !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-inside-of-control-flow"(%x: !graph.tensor<4xf32>, %c: i1) {
  scf.if %c {
    // expected-error @+1 {{'graph.guard' op stands in a function, outside of control flow: it is about the function's arguments}}
    graph.guard %c, "it holds"
  }
  return
}
