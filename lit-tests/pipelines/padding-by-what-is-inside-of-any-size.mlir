// Padding that reflects what is inside, of images whose sizes the run knows: the same values compiled and interpreted.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [2, 3, 4, 5], "strides": [60, 20, 5, 1], "offset": 0}]}' > %t.0.json
// RUN: terrace-run %s --inputs %t.0.json > %t.compiled
// RUN: terrace-run %s --inputs %t.0.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [2, 2, 3, 4], "strides": [24, 12, 4, 1], "offset": 0}]}' > %t.1.json
// RUN: terrace-run %s --inputs %t.1.json > %t.compiled
// RUN: terrace-run %s --inputs %t.1.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted

func.func @main(%x: !graph.tensor<?x?x?x?xf32>) -> !graph.tensor<?x?x?x?xf32> {
  %0 = graph.reflection_pad2d %x {padding = array<i64: 2, 1, 1, 2>} : !graph.tensor<?x?x?x?xf32>
  return %0 : !graph.tensor<?x?x?x?xf32>
}
