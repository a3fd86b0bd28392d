// Elements that leave at one end of a dimension of any size come back at the other.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6, 7, 8]}}, "args": [{"storage": "x", "sizes": [2, 4]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s < %t.compiled
// CHECK: "new0": {"dtype": "f32", "data": [4.0, 1.0, 2.0, 3.0, 8.0, 5.0, 6.0, 7.0]}
// CHECK: "new1": {"dtype": "f32", "data": [3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 1.0, 2.0]}
func.func @main(%x: !graph.tensor<?x?xf32>) -> (!graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>) {
  %0 = graph.roll %x {shifts = array<i64: 1>, dims = array<i64: 1>} : !graph.tensor<?x?xf32>
  %1 = graph.roll %x {shifts = array<i64: -2>, dims = array<i64>} : !graph.tensor<?x?xf32>
  return %0, %1 : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>
}
