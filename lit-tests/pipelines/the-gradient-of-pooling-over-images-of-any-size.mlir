// Gradients go to the places that indices name in images whose sizes the run knows: the same values compiled and interpreted; what
// is no place is refused.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0]}, "s1": {"dtype": "f32", "data": [-0.5, 3.0, 1.0, -1.0, 2.5, 0.5]}, "s2": {"dtype": "i64", "data": [0, 0, 1, 2, 0, 0, 1, 2, 3, 3, 4, 5]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [1, 1, 3, 4], "strides": [12, 12, 4, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [1, 1, 2, 3], "strides": [6, 6, 3, 1], "offset": 0}, {"storage": "s2", "dtype": "i64", "sizes": [1, 1, 3, 4], "strides": [12, 12, 4, 1], "offset": 0}]}' > %t.0.json
// RUN: terrace-run %s --inputs %t.0.json > %t.compiled
// RUN: terrace-run %s --inputs %t.0.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": []}, "s1": {"dtype": "f32", "data": []}, "s2": {"dtype": "i64", "data": []}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [0, 1, 3, 4], "strides": [12, 12, 4, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [0, 1, 2, 3], "strides": [6, 6, 3, 1], "offset": 0}, {"storage": "s2", "dtype": "i64", "sizes": [0, 1, 3, 4], "strides": [12, 12, 4, 1], "offset": 0}]}' > %t.1.json
// RUN: terrace-run %s --inputs %t.1.json > %t.compiled
// RUN: terrace-run %s --inputs %t.1.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0]}, "s1": {"dtype": "f32", "data": [-0.5, 3.0, 1.0, -1.0, 2.5, 0.5]}, "s2": {"dtype": "i64", "data": [0, 0, 1, 2, 0, 0, 1, 6, 3, 3, 4, 5]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [1, 1, 3, 4], "strides": [12, 12, 4, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [1, 1, 2, 3], "strides": [6, 6, 3, 1], "offset": 0}, {"storage": "s2", "dtype": "i64", "sizes": [1, 1, 3, 4], "strides": [12, 12, 4, 1], "offset": 0}]}' > %t.2.json
// RUN: not terrace-run %s --inputs %t.2.json 2>&1 | FileCheck %s --check-prefix=PLACE

// PLACE: Found an invalid max index (input image has {{.*}} elements)
func.func @main(%g: !graph.tensor<?x?x?x?xf32>, %x: !graph.tensor<?x?x?x?xf32>, %i: !graph.tensor<?x?x?x?xi64>) -> !graph.tensor<?x?x?x?xf32> {
  %0 = graph.max_pool2d_with_indices_backward %g, %x, %i {kernel_size = array<i64: 2, 2>, stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, ceil_mode = false}
      : !graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x?x?xi64>
  return %0 : !graph.tensor<?x?x?x?xf32>
}
