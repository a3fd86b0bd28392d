// Windows over images whose number the run knows, and what elements decide the number of: the same values compiled and interpreted.
// REQUIRES: x86
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": [1, -2, 3, 0, 5, 6, -7, 8, 2, 2, 0, 4, -1, 9, 3, 0, 4, 4, 4, 0, 1, 0, -3, 2, 8, 8, 1, 1, 0, 0, 5, 6]}}, "args": [{"storage": "s", "dtype": "f32", "sizes": [2, 1, 4, 4], "strides": [16, 16, 4, 1], "offset": 0}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: FileCheck %s < %t.compiled

// CHECK: "dtype": "f32", "data": [6.0, 8.0, 9.0, 4.0, 4.0, 4.0, 8.0, 6.0]
// CHECK: "dtype": "f32", "data": [-2.0, -7.0, -1.0, -3.0]
func.func @main(%x: !graph.tensor<?x1x4x4xf32>) -> (!graph.tensor<?x1x2x2xf32>, !graph.tensor<?x1x2x2xi64>, !graph.tensor<?x1x3x3xf32>, !graph.tensor<?x1x3x3xf32>, !graph.tensor<?x4xi64>, !graph.tensor<?xf32>) {
  %0:2 = graph.max_pool2d_with_indices %x {kernel_size = array<i64: 2>} : !graph.tensor<?x1x4x4xf32>
  %1 = graph.avg_pool2d %x {kernel_size = array<i64: 2>, stride = array<i64: 2>, padding = array<i64: 1>} : !graph.tensor<?x1x4x4xf32>
  %2 = graph._adaptive_avg_pool2d %x {output_size = array<i64: 3, 3>} : !graph.tensor<?x1x4x4xf32>
  %3 = graph.nonzero %x : !graph.tensor<?x1x4x4xf32>
  %zero = arith.constant 0.0 : f64
  %m = graph.lt %x, %zero : !graph.tensor<?x1x4x4xf32>, f64
  %4 = graph.masked_select %x, %m : !graph.tensor<?x1x4x4xf32>, !graph.tensor<?x1x4x4xi1>
  return %0#0, %0#1, %1, %2, %3, %4 : !graph.tensor<?x1x2x2xf32>, !graph.tensor<?x1x2x2xi64>, !graph.tensor<?x1x3x3xf32>, !graph.tensor<?x1x3x3xf32>, !graph.tensor<?x4xi64>, !graph.tensor<?xf32>
}
