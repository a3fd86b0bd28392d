// What is new lies as the argument does of which it is made, which is known when the program runs: so does a view of it.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6, 7, 8]}, "y": {"dtype": "f32", "data": [0, 0, 0, 0, 0, 0, 0, 0]}}, "args": [{"storage": "x", "sizes": [4, 2], "strides": [1, 4]}, {"storage": "y", "sizes": [4, 2]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s < %t.compiled
// CHECK: "sizes": [2, 2, 2], "strides": [2, 1, 4]
!t = !graph.tensor<4x2xf32>
func.func @main(%x: !t {graph.storage = "x", graph.layout = strided<[?, ?], offset: 0>}, %y: !t {graph.layout = strided<[2, 1], offset: 0>})
    -> !graph.tensor<2x2x2xf32> {
  %0 = graph.exp %x : !t
  %1 = graph.add_ %y, %0 : !t, !t
  %2 = graph.view %0 size [2, 2, 2] : !t
  return %2 : !graph.tensor<2x2x2xf32>
}
