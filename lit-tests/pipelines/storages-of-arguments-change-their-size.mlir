// Compiled code asks who calls it for another size of an argument's storage, before it reads and when it has written.
// REQUIRES: x86

// A longer result of `out=`: other tensors of the storage see what is written there.
// RUN: echo '{"storages": {"b": {"dtype": "bool", "data": [true, false, true]}}, "args": [{"storage": "b", "sizes": [3]}, {"storage": "b", "sizes": [2], "offset": 1}]}' > %t.json
// RUN: terrace-run %s --entry=shared --inputs %t.json > %t.compiled
// RUN: terrace-run %s --entry=shared --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s --check-prefix=SHARED < %t.compiled
// SHARED: {"storage": "b", "dtype": "bool", "sizes": [5], "strides": [1], "offset": 0, "flags": []},
// SHARED-NEXT: {"same_as": "args[1]"}
// SHARED: "b": {"dtype": "bool", "data": [false, false, true, true, true]}
func.func @shared(%x: !graph.tensor<3xi1> {graph.storage = "a"}, %y: !graph.tensor<2xi1> {graph.storage = "a", graph.layout = strided<[1], offset: 1>}) -> (!graph.tensor<5xi1>, !graph.tensor<2xi1>) {
  %0 = graph.resize_ %x size [5] : !graph.tensor<3xi1>
  %1 = graph.logical_not_ %y : !graph.tensor<2xi1>
  %2 = graph.logical_not_ %0 : !graph.tensor<5xi1>
  return %2, %y : !graph.tensor<5xi1>, !graph.tensor<2xi1>
}

// A storage is freed when its elements are elsewhere.
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3]}}, "args": [{"storage": "x", "sizes": [3]}]}' > %t.json
// RUN: terrace-run %s --entry=freed --inputs %t.json > %t.compiled
// RUN: terrace-run %s --entry=freed --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s --check-prefix=FREED < %t.compiled
// FREED: "x": {"dtype": "f32", "data": []}
func.func @freed(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %0 = graph.clone %x : !graph.tensor<3xf32>
  graph.resize_storage %x bytes [0] : !graph.tensor<3xf32>
  return %0 : !graph.tensor<3xf32>
}

// What is freed and allocated again has its size in the end.
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3]}}, "args": [{"storage": "x", "sizes": [3]}]}' > %t.json
// RUN: terrace-run %s --entry=again --inputs %t.json > %t.compiled
// RUN: terrace-run %s --entry=again --inputs %t.json --target=interpret | diff - %t.compiled
func.func @again(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %0 = graph.add %x, %x : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  graph.resize_storage %x bytes [0] : !graph.tensor<3xf32>
  graph.resize_storage %x bytes [12] : !graph.tensor<3xf32>
  %1 = graph.copy_ %x, %0 : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return %1 : !graph.tensor<3xf32>
}

// RUN: echo '{"storages": {"c": {"dtype": "c128", "data": [[1, 1], [2, 2], [3, 3]]}}, "args": [{"storage": "c", "sizes": [3]}]}' > %t.json
// RUN: terrace-run %s --entry=wide --inputs %t.json > %t.compiled
// RUN: terrace-run %s --entry=wide --inputs %t.json --target=interpret | diff - %t.compiled
func.func @wide(%x: !graph.tensor<3xcomplex<f64>>) -> !graph.tensor<5xcomplex<f64>> {
  %0 = graph.resize_ %x size [5] : !graph.tensor<3xcomplex<f64>>
  %1 = graph.mul_ %0, %0 : !graph.tensor<5xcomplex<f64>>, !graph.tensor<5xcomplex<f64>>
  return %1 : !graph.tensor<5xcomplex<f64>>
}
