// A function gives another view of all of an argument: that lies as the argument does, and is another tensor.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1.5, 2, 3, 4]}}, "args": [{"storage": "x", "sizes": [4]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s < %t.compiled
// CHECK: {"storage": "x", "dtype": "f32", "sizes": [4]
// CHECK-NEXT: {"same_as": "outputs[0]"}
func.func @main(%x: !graph.tensor<?xf32> {graph.storage = "s0"}) -> (!graph.tensor<?xf32>, !graph.tensor<?xf32>) {
  %0 = graph.ravel %x : !graph.tensor<?xf32>
  %1 = graph.floor_ %0 : !graph.tensor<?xf32>
  return %0, %1 : !graph.tensor<?xf32>, !graph.tensor<?xf32>
}
