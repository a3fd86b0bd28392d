// A new storage like a tensor of which the type does not say the sizes: by which of them it is laid out is not known here.
// RUN: terrace-opt %s --convert-graph-boundary-to-memref --verify-diagnostics

func.func @main(%x: !graph.tensor<?x?xi8> {graph.layout = "any"}, %v: tensor<4x2xi8>) -> !graph.tensor<4x2xi8> {
  // expected-error @+1 {{is laid out as tensors of sizes of the run are, which is interpreted only, as yet}}
  %0 = graph.new_storage [4, 2] like %x {dtype = i8} : !graph.tensor<?x?xi8>
  graph.write_back %v into %0 : tensor<4x2xi8>, !graph.tensor<4x2xi8>
  return %0 : !graph.tensor<4x2xi8>
}
