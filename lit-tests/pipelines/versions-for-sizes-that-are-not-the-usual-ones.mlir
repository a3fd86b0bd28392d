// Versions of operations for sizes that are not the usual ones: 0, 1, and fewer than are asked for. The same values compiled and interpreted.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [1.0, 0.5, -0.25, 1.0, 0.5, -0.5, 2.0, 0.75, 0.0, -1.5, 0.25, -1.0]}, "s1": {"dtype": "f32", "data": [-0.5, 2.0, 0.75, 0.0, -1.5]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [3, 4], "strides": [4, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [5], "strides": [1], "offset": 0}]}' > %t.0.json
// RUN: terrace-run %s --inputs %t.0.json > %t.compiled
// RUN: terrace-run %s --inputs %t.0.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [1.0, 0.5, -0.25, 1.0]}, "s1": {"dtype": "f32", "data": [-0.5]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [1, 4], "strides": [4, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [1], "strides": [1], "offset": 0}]}' > %t.1.json
// RUN: terrace-run %s --inputs %t.1.json > %t.compiled
// RUN: terrace-run %s --inputs %t.1.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [1.0, 0.5, -0.25, 1.0, 0.5, -0.5]}, "s1": {"dtype": "f32", "data": []}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [2, 3], "strides": [3, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [0], "strides": [1], "offset": 0}]}' > %t.2.json
// RUN: terrace-run %s --inputs %t.2.json > %t.compiled
// RUN: terrace-run %s --inputs %t.2.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [1.0, 0.5]}, "s1": {"dtype": "f32", "data": [-0.5, 2.0, 0.75]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [1, 2], "strides": [2, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [3], "strides": [1], "offset": 0}]}' > %t.3.json
// RUN: terrace-run %s --inputs %t.3.json > %t.compiled
// RUN: terrace-run %s --inputs %t.3.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted

func.func @main(%x: !graph.tensor<?x?xf32>, %y: !graph.tensor<?xf32>)
    -> (!graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>) {
  %0 = graph.reflection_pad1d %x {padding = array<i64: 1, 1>} : !graph.tensor<?x?xf32>
  %1 = graph.replication_pad1d %x {padding = array<i64: 1, 1>} : !graph.tensor<?x?xf32>
  %2:2 = graph.meshgrid %y, %y {indexing = "xy"} : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  %3 = graph.tril %x : !graph.tensor<?x?xf32>
  return %0, %1, %2#0, %2#1, %3 : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>
}
