// A result and its clone are one value of the core: each gets a storage of its own, of sizes of the run, too.
// REQUIRES: x86
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": [1, 4]}}, "args": [{"storage": "s", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json | FileCheck %s
// RUN: terrace-run %s --inputs %t.json --target=interpret | FileCheck %s
// CHECK: "storage": "[[A:.*]]", "dtype": "f32", "sizes": [2]
// CHECK: "storage": "[[B:.*]]", "dtype": "f32", "sizes": [2]
// CHECK: "[[A]]": {"dtype": "f32", "data": [1.0, 2.0]}
// CHECK: "[[B]]": {"dtype": "f32", "data": [1.0, 2.0]}
func.func @main(%x: !graph.tensor<?xf32>) -> (!graph.tensor<?xf32>, !graph.tensor<?xf32>) {
  %0 = graph.sqrt %x : !graph.tensor<?xf32>
  %1 = graph.clone %0 : !graph.tensor<?xf32>
  return %0, %1 : !graph.tensor<?xf32>, !graph.tensor<?xf32>
}
