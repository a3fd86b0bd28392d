// RUN: terrace-opt %s --graph-functionalize --convert-graph-boundary-to-memref --split-input-file --verify-diagnostics

// expected-error @+1 {{'graph.resize_storage' op makes the storage of an argument another size: compiled code has storages of fixed sizes}}
func.func @"not-a-storage-that-changes-its-size"(%x: !graph.tensor<3xf32>) {
  graph.resize_storage %x {bytes = 32 : i64} : !graph.tensor<3xf32>
  return
}
