// What is its operand or a copy, by strides that are not known, is a negative or none by these: no truth value says which.
// RUN: terrace-opt %s --graph-outline-eager --verify-diagnostics
func.func @to(%x: !graph.tensor<2x3x4x5xf32> {graph.layout = "any"}, %c: i1) -> !graph.tensor<2x3x4x5xf32> attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<2x3x4x5xf32>
  %r = arith.select %c, %x, %0 : !graph.tensor<2x3x4x5xf32>
  // expected-error @+1 {{'graph.to' op is a view or a copy of conjugates or negatives, by strides that are not known: take resolve_conj or resolve_neg of it}}
  %1 = graph.to %r {memory_format = "channels_last"} : !graph.tensor<2x3x4x5xf32>
  return %1 : !graph.tensor<2x3x4x5xf32>
}
