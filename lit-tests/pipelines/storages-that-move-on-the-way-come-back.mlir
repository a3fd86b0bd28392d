// A storage of the caller's that has moved, and is seen anew by what is compiled when it is called, is still the caller's: its memory is not freed with the result.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [7]}, "y": {"dtype": "i8", "data": [1, 2, 3, 4, 5, 6]}}, "args": [{"storage": "x", "sizes": []}, {"storage": "y", "sizes": [2, 3]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s < %t.compiled
// CHECK: {"storage": "x", "dtype": "f32", "sizes": [1]
func.func @main(%x: !graph.tensor<f32>, %y: !graph.tensor<?x?xi8>) -> !graph.tensor<1xf32> {
  %0 = graph.resize_as_ %x, %y : !graph.tensor<f32>, !graph.tensor<?x?xi8>
  %1 = graph.resize_ %0 size [1] : !graph.tensor<?x?xf32>
  return %1 : !graph.tensor<1xf32>
}
