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

// -----

// Who calls would not know that it sees conjugates.
func.func private @"not-compiled-later-where-callers-cannot-know-of-conjugates"(%x: !graph.tensor<?xcomplex<f32>> {graph.layout = "any"}, %n: i64) -> !graph.tensor<?xcomplex<f32>> attributes {graph.eager, graph.partial} {
  // expected-error @+1 {{'graph.conj' op may give conjugates or negatives to who calls a function that is compiled when it is called: put that in the place of its call}}
  %0 = graph.conj %x : !graph.tensor<?xcomplex<f32>>
  return %0 : !graph.tensor<?xcomplex<f32>>
}
func.func @calls(%x: !graph.tensor<?xcomplex<f32>> {graph.layout = "any"}, %n: i64) -> !graph.tensor<?xcomplex<f32>> attributes {graph.eager} {
  %0 = call @"not-compiled-later-where-callers-cannot-know-of-conjugates"(%x, %n) : (!graph.tensor<?xcomplex<f32>>, i64) -> !graph.tensor<?xcomplex<f32>>
  return %0 : !graph.tensor<?xcomplex<f32>>
}
