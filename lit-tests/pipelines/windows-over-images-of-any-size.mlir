// Windows over images whose sizes the run knows: the same values compiled and interpreted.
// REQUIRES: x86
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": [1, -2, 3, 0, 5, 6, -7, 8, 2, 2, 0, 4, -1, 9, 3, 0, 4, 4, 4, 0, 1, 0, -3, 2, 8, 8, 1, 1, 0, 0, 5, 6, 1, 2, 3, 4, 5, 6, 7, 8]}, "w": {"dtype": "f32", "data": [1, 2, 0, -1, 0, 1, 3, 1]}, "g": {"dtype": "f32", "data": [2, -1]}}, "args": [{"storage": "s", "dtype": "f32", "sizes": [2, 2, 2, 5], "strides": [20, 10, 5, 1], "offset": 0}, {"storage": "w", "dtype": "f32", "sizes": [1, 2, 2, 2], "strides": [8, 4, 2, 1], "offset": 0}, {"storage": "g", "dtype": "f32", "sizes": [2, 1, 1, 1], "strides": [1, 1, 1, 1], "offset": 0}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: FileCheck %s < %t.compiled

// CHECK: "sizes": [2, 1, 3, 6], "strides": [18, 18, 6, 1]
// CHECK: "sizes": [2, 2, 2, 5], "strides": [20, 10, 5, 1]
// CHECK: "sizes": [2, 2, 1, 2], "strides": [4, 2, 2, 1]
// CHECK: "sizes": [2, 2, 2, 3], "strides": [12, 6, 3, 1]
// CHECK: "sizes": [2, 2, 3, 3], "strides": [18, 9, 3, 1]
func.func @main(%x: !graph.tensor<?x2x?x?xf32>, %w: !graph.tensor<1x2x2x2xf32>, %g: !graph.tensor<2x1x1x1xf32>)
    -> (!graph.tensor<?x1x?x?xf32>, !graph.tensor<?x2x?x?xf32>, !graph.tensor<?x2x?x?xf32>, !graph.tensor<?x2x?x?xi64>, !graph.tensor<?x2x?x?xf32>, !graph.tensor<?x2x3x3xf32>) {
  %0 = graph.conv2d %x, %w {padding = array<i64: 1, 1>} : !graph.tensor<?x2x?x?xf32>, !graph.tensor<1x2x2x2xf32>
  %1 = graph.conv2d %x, %g {groups = 2 : i64} : !graph.tensor<?x2x?x?xf32>, !graph.tensor<2x1x1x1xf32>
  %2:2 = graph.max_pool2d_with_indices %x {kernel_size = array<i64: 2>} : !graph.tensor<?x2x?x?xf32>
  %3 = graph.avg_pool2d %x {kernel_size = array<i64: 2>, stride = array<i64: 2>, padding = array<i64: 1>} : !graph.tensor<?x2x?x?xf32>
  %4 = graph._adaptive_avg_pool2d %x {output_size = array<i64: 3, 3>} : !graph.tensor<?x2x?x?xf32>
  return %0, %1, %2#0, %2#1, %3, %4 : !graph.tensor<?x1x?x?xf32>, !graph.tensor<?x2x?x?xf32>, !graph.tensor<?x2x?x?xf32>, !graph.tensor<?x2x?x?xi64>, !graph.tensor<?x2x?x?xf32>, !graph.tensor<?x2x3x3xf32>
}
