// RUN: terrace-opt %s --graph-functionalize --convert-graph-boundary-to-memref --split-input-file --verify-diagnostics

// expected-error @+1 {{'graph.resize_storage' op makes a storage another size that other arguments may have, too: declare graph.storage}}
func.func @"not-a-storage-that-one-which-declares-none-may-have"(%x: !graph.tensor<3xf32> {graph.storage = "x"}, %y: !graph.tensor<3xf32>) {
  graph.resize_storage %x bytes [32] : !graph.tensor<3xf32>
  return
}

// -----

// expected-error @+1 {{'graph.resize_storage' op makes a storage another size that other arguments may have, too: declare graph.storage}}
func.func @"not-a-storage-that-other-arguments-may-have"(%x: !graph.tensor<3xf32>, %y: !graph.tensor<3xf32>) {
  graph.resize_storage %x bytes [32] : !graph.tensor<3xf32>
  return
}
