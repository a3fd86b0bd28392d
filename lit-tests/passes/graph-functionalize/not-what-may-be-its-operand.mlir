// RUN: terrace-opt %s --graph-functionalize --split-input-file --verify-diagnostics

// A copy of a value is another tensor: what may be its operand is resolved before, by what is known of that.
func.func @"not-in-a-format-that-strides-may-suggest"(%x: !graph.tensor<1x1x1x2xi1> {graph.layout = "any"}) -> !graph.tensor<1x1x1x2xi1> {
  // expected-error @+1 {{'graph.to' op is a view or a copy by the strides of its operand, which are not known here}}
  %0 = graph.to %x {memory_format = "contiguous_format"} : !graph.tensor<1x1x1x2xi1>
  return %0 : !graph.tensor<1x1x1x2xi1>
}

// -----

// In another dtype it is a copy.
func.func @cast(%x: !graph.tensor<2x2xf32> {graph.layout = "any"}) -> !graph.tensor<2x2xf64> {
  %0 = graph.to %x {dtype = f64, memory_format = "contiguous_format"} : !graph.tensor<2x2xf32>
  return %0 : !graph.tensor<2x2xf64>
}

// -----

// Where it lies in its storage is its operand's offset.
func.func @"not-a-copy-that-lies-elsewhere"(%x: !graph.tensor<2x3xf32> {graph.layout = "any"}) -> !graph.tensor<2x3xf32> {
  // expected-error @+1 {{'graph.copy' op lies in its storage by the strides and the offset of its operand, which are not known here}}
  %0 = graph.copy %x, %x : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  return %0 : !graph.tensor<2x3xf32>
}
