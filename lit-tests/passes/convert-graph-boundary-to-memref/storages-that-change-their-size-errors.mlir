// RUN: terrace-opt %s --graph-functionalize --convert-graph-boundary-to-memref --split-input-file --verify-diagnostics

// expected-error @+1 {{'graph.resize_storage' op makes the storage of an argument another size in a function after whose call compiled code goes on with arguments}}
func.func private @"not-a-storage-that-changes-its-size-for-a-caller-that-goes-on"(%x: !graph.tensor<3xf32>) {
  graph.resize_storage %x bytes [32] : !graph.tensor<3xf32>
  return
}
func.func @goes_on(%x: !graph.tensor<3xf32> {graph.layout = "any"}) -> i64 attributes {graph.eager} {
  call @"not-a-storage-that-changes-its-size-for-a-caller-that-goes-on"(%x) : (!graph.tensor<3xf32>) -> ()
  %0 = graph.sym_storage_offset %x : !graph.tensor<3xf32>
  return %0 : i64
}

// -----

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

// -----

func.func private @"not-compiled-later-where-a-caller-goes-on-with-a-storage-that-moves"(%x: !graph.tensor<?xf32> {graph.layout = "any"}) -> !graph.tensor<6xf32> attributes {graph.eager, graph.partial} {
  // expected-error @+1 {{'graph.resize_' op may make the storage of an argument another size in a function after whose call compiled code goes on with arguments: that is interpreted only}}
  %0 = graph.resize_ %x size [6] : !graph.tensor<?xf32>
  return %0 : !graph.tensor<6xf32>
}
func.func @goes_on(%x: !graph.tensor<?xf32> {graph.layout = "any"}) -> i64 attributes {graph.eager} {
  %0 = call @"not-compiled-later-where-a-caller-goes-on-with-a-storage-that-moves"(%x) : (!graph.tensor<?xf32>) -> !graph.tensor<6xf32>
  %1 = graph.sym_storage_offset %x : !graph.tensor<?xf32>
  return %1 : i64
}
