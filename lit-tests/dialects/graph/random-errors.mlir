// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @integers() {
  // expected-error @+1 {{'graph.rand' op "check_uniform_bounds" not implemented for 'Long'}}
  %0 = graph.rand [2] {dtype = i64}
  return
}

// -----

func.func @empty_range() {
  // expected-error @+1 {{'graph.randint' op random_ expects 'from' to be less than 'to', but got from=0 >= to=0}}
  %0 = graph.randint [2] {high = 0 : i64}
  return
}

// -----

func.func @too_large() {
  // expected-error @+1 {{'graph.randint' op to - 1 is out of bounds for bool}}
  %0 = graph.randint [2] {high = 5 : i64, dtype = i1}
  return
}

// -----

func.func @probability(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.bernoulli_' op bernoulli_ expects p to be in [0, 1], but got p=1.5}}
  %0 = graph.bernoulli_ %x {p = 1.5 : f64} : !graph.tensor<2xf32>
  return
}

// -----

func.func @samples(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.multinomial' op cannot sample n_sample > prob_dist.size(-1) samples without replacement}}
  %0 = graph.multinomial %x {num_samples = 3 : i64} : !graph.tensor<2xf32>
  return
}

// -----

func.func @deviation(%x: !graph.tensor<2xf32>) {
  // expected-error @+1 {{'graph.normal_' op normal expects std >= 0.0, but found std -1}}
  %0 = graph.normal_ %x {std = -1.0 : f64} : !graph.tensor<2xf32>
  return
}
