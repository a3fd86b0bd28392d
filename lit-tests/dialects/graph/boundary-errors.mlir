// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @"not-like-what-is-larger"(%x: !graph.tensor<4x8xf32>) {
  // expected-error @+1 {{operand 0 of sizes [4, 8] does not broadcast to [8]}}
  %0 = graph.new_storage [8] like %x {dtype = f32} : !graph.tensor<4x8xf32>
  return
}

// -----

func.func @"not-a-copy-of-two"(%x: !graph.tensor<8xf32>) {
  // expected-error @+1 {{preserves the format of one tensor, got 2}}
  %0 = graph.new_storage [8] like %x, %x {dtype = f32, preserve} : !graph.tensor<8xf32>, !graph.tensor<8xf32>
  return
}

// -----

func.func @"not-a-broadcast-copy"(%x: !graph.tensor<8xf32>) {
  // expected-error @+1 {{operand 0 of sizes [8] does not broadcast to [4, 8]}}
  %0 = graph.new_storage [4, 8] like %x {dtype = f32, preserve} : !graph.tensor<8xf32>
  return
}

// -----

func.func @"not-of-negative-size"() {
  // expected-error @+1 {{has the negative size -4}}
  %0 = graph.new_storage [-4] {dtype = f32}
  return
}

// -----

func.func @"suggested-by-any-or-all"(%x: !graph.tensor<2x3x4x5xf32>) {
  // expected-error @+1 {{'suggested' is 'any' or 'all', got 'none'}}
  %0 = graph.new_storage [2, 3, 4, 5] like %x {dtype = f32, suggested = "none"} : !graph.tensor<2x3x4x5xf32>
  return
}

// -----

func.func @"not-suggested-and-preserved"(%x: !graph.tensor<2x3x4x5xf32>) {
  // expected-error @+1 {{is 'suggested' and preserves a format}}
  %0 = graph.new_storage [2, 3, 4, 5] like %x {dtype = f32, suggested = "any", preserve} : !graph.tensor<2x3x4x5xf32>
  return
}

// -----

func.func @"not-told-of-a-result-that-is-not-there"(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<4xf32> {
  // expected-error @+1 {{names a result of the function that is a tensor, got 1}}
  graph.tell_flags %c, %c result 1
  return %x : !graph.tensor<4xf32>
}

// -----

func.func @"not-told-of-a-number"(%n: i64, %c: i1) -> i64 {
  // expected-error @+1 {{names a result of the function that is a tensor, got 0}}
  graph.tell_flags %c, %c result 0
  return %n : i64
}

// -----

func.func @"not-asked-of-what-no-call-gives"(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{is about result 0 of a call, which its operand is}}
  %conj, %neg = graph.told_flags %x result 0 : !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-passed-to-no-argument"(%c: i1) {
  // expected-error @+1 {{names an argument of the function that is called next, got -1}}
  graph.pass_flags %c, %c argument -1
  return
}

// -----

func.func @"not-asked-of-another-argument"(%n: i64, %x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{is about argument 0 of the function around it, which its operand is}}
  %conj, %neg = graph.passed_flags %x argument 0 : !graph.tensor<4xf32>
  return
}

// -----

func.func @"not-asked-of-what-is-no-argument"(%x: !graph.tensor<4xf32>) {
  %0 = graph.neg %x : !graph.tensor<4xf32>
  // expected-error @+1 {{is about argument 0 of the function around it, which its operand is}}
  %conj, %neg = graph.passed_flags %0 argument 0 : !graph.tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{'graph.passed_flags' stands at arguments of functions that run as they are written only (graph.eager)}}
func.func @"not-passed-where-values-are-made"(%x: !graph.tensor<4xf32> {graph.passed_flags}) {
  return
}
