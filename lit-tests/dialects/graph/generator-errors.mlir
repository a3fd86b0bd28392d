// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @negative() {
  // expected-error@+1 {{skips -1 operations: 0 is the least}}
  graph.skip_draws -1
  return
}

// -----

func.func @fake() {
  // expected-error@+1 {{Trying to create tensor with negative dimension -2: [-2]}}
  %0 = graph.fake [-2] {dtype = f32}
  return
}
