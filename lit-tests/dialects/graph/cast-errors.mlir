// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @says_more(%x: !graph.tensor<?xf32>) -> !graph.tensor<4xf32> {
  // expected-error @+1 {{'graph.cast' op leaves sizes of !graph.tensor<?xf32> open and changes nothing else, got !graph.tensor<4xf32>}}
  %0 = graph.cast %x : !graph.tensor<?xf32> to !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}

// -----

func.func @says_something_else(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<?x4xf32> {
  // expected-error @+1 {{'graph.cast' op leaves sizes of !graph.tensor<2x3xf32> open and changes nothing else, got !graph.tensor<?x4xf32>}}
  %0 = graph.cast %x : !graph.tensor<2x3xf32> to !graph.tensor<?x4xf32>
  return %0 : !graph.tensor<?x4xf32>
}

// -----

func.func @another_rank(%x: !graph.tensor<4xf32>) -> !graph.tensor<?x?xf32> {
  // expected-error @+1 {{leaves sizes of !graph.tensor<4xf32> open and changes nothing else, got !graph.tensor<?x?xf32>}}
  %0 = graph.cast %x : !graph.tensor<4xf32> to !graph.tensor<?x?xf32>
  return %0 : !graph.tensor<?x?xf32>
}

// -----

func.func @another_dtype(%x: !graph.tensor<4xf32>) -> !graph.tensor<?xf16> {
  // expected-error @+1 {{leaves sizes of !graph.tensor<4xf32> open and changes nothing else, got !graph.tensor<?xf16>}}
  %0 = graph.cast %x : !graph.tensor<4xf32> to !graph.tensor<?xf16>
  return %0 : !graph.tensor<?xf16>
}

// -----

// It is the same tensor, whose sizes are others after that.
func.func @changed(%x: !graph.tensor<1x4xf32>) -> !graph.tensor<?x4xf32> {
  %0 = graph.cast %x : !graph.tensor<1x4xf32> to !graph.tensor<?x4xf32>
  %1 = graph.squeeze_ %x {dim = array<i64: 0>} : !graph.tensor<1x4xf32>
  // expected-error @+1 {{'graph.neg' op uses a tensor whose sizes, strides or storage 'graph.squeeze_' has changed: use its result}}
  %2 = graph.neg %0 : !graph.tensor<?x4xf32>
  return %2 : !graph.tensor<?x4xf32>
}
