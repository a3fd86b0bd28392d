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
