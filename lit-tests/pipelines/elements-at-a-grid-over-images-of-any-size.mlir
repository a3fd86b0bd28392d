// Elements at the places of grids whose sizes the run knows, in images and volumes of such sizes: the same values compiled and
// interpreted. Between the corners of one element there is nothing to reflect.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f64", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0]}, "s1": {"dtype": "f64", "data": [-0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5]}, "s2": {"dtype": "f64", "data": [1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0]}, "s3": {"dtype": "f64", "data": [2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5]}}, "args": [{"storage": "s0", "dtype": "f64", "sizes": [2, 2, 3, 5], "strides": [30, 15, 5, 1], "offset": 0}, {"storage": "s1", "dtype": "f64", "sizes": [2, 2, 2, 2], "strides": [8, 4, 2, 1], "offset": 0}, {"storage": "s2", "dtype": "f64", "sizes": [1, 2, 2, 3, 2], "strides": [24, 12, 6, 2, 1], "offset": 0}, {"storage": "s3", "dtype": "f64", "sizes": [1, 1, 2, 3, 3], "strides": [18, 18, 9, 3, 1], "offset": 0}]}' > %t.0.json
// RUN: terrace-run %s --inputs %t.0.json | sed 's/-0\.0\b/0.0/g' > %t.compiled
// RUN: terrace-run %s --inputs %t.0.json --target=interpret | sed 's/-0\.0\b/0.0/g' > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f64", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5]}, "s1": {"dtype": "f64", "data": [-0.5, 3.0, 1.0, -1.0, 2.5, 0.5]}, "s2": {"dtype": "f64", "data": [1.0, -1.0, 2.5, 0.5]}, "s3": {"dtype": "f64", "data": [2.5, 0.5, -1.5, 2.0, 0.0, -2.0]}}, "args": [{"storage": "s0", "dtype": "f64", "sizes": [1, 2, 1, 4], "strides": [8, 4, 4, 1], "offset": 0}, {"storage": "s1", "dtype": "f64", "sizes": [1, 3, 1, 2], "strides": [6, 2, 2, 1], "offset": 0}, {"storage": "s2", "dtype": "f64", "sizes": [1, 2, 1, 1, 2], "strides": [4, 2, 2, 2, 1], "offset": 0}, {"storage": "s3", "dtype": "f64", "sizes": [1, 1, 2, 1, 3], "strides": [6, 6, 3, 3, 1], "offset": 0}]}' > %t.1.json
// RUN: terrace-run %s --inputs %t.1.json | sed 's/-0\.0\b/0.0/g' > %t.compiled
// RUN: terrace-run %s --inputs %t.1.json --target=interpret | sed 's/-0\.0\b/0.0/g' > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f64", "data": []}, "s1": {"dtype": "f64", "data": []}, "s2": {"dtype": "f64", "data": [1.0, -1.0, 2.5, 0.5]}, "s3": {"dtype": "f64", "data": []}}, "args": [{"storage": "s0", "dtype": "f64", "sizes": [0, 2, 2, 2], "strides": [8, 4, 2, 1], "offset": 0}, {"storage": "s1", "dtype": "f64", "sizes": [0, 3, 1, 2], "strides": [6, 2, 2, 1], "offset": 0}, {"storage": "s2", "dtype": "f64", "sizes": [1, 2, 1, 1, 2], "strides": [4, 2, 2, 2, 1], "offset": 0}, {"storage": "s3", "dtype": "f64", "sizes": [1, 1, 0, 1, 3], "strides": [3, 3, 3, 3, 1], "offset": 0}]}' > %t.2.json
// RUN: terrace-run %s --inputs %t.2.json | sed 's/-0\.0\b/0.0/g' > %t.compiled
// RUN: terrace-run %s --inputs %t.2.json --target=interpret | sed 's/-0\.0\b/0.0/g' > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f64", "data": [-2.0]}, "s1": {"dtype": "f64", "data": [-0.5, 3.0]}, "s2": {"dtype": "f64", "data": [1.0]}, "s3": {"dtype": "f64", "data": [2.5, 0.5, -1.5]}}, "args": [{"storage": "s0", "dtype": "f64", "sizes": [1, 1, 1, 1], "strides": [1, 1, 1, 1], "offset": 0}, {"storage": "s1", "dtype": "f64", "sizes": [1, 1, 1, 2], "strides": [2, 2, 2, 1], "offset": 0}, {"storage": "s2", "dtype": "f64", "sizes": [1, 1, 1, 1, 1], "strides": [1, 1, 1, 1, 1], "offset": 0}, {"storage": "s3", "dtype": "f64", "sizes": [1, 1, 1, 1, 3], "strides": [3, 3, 3, 3, 1], "offset": 0}]}' > %t.3.json
// RUN: terrace-run %s --inputs %t.3.json | sed 's/-0\.0\b/0.0/g' > %t.compiled
// RUN: terrace-run %s --inputs %t.3.json --target=interpret | sed 's/-0\.0\b/0.0/g' > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: FileCheck %s < %t.compiled

// CHECK: "sizes": [1, 1, 1, 1]
func.func @main(%x: !graph.tensor<?x?x?x?xf64>, %g: !graph.tensor<?x?x?x2xf64>, %v: !graph.tensor<?x?x?x?x?xf64>, %p: !graph.tensor<?x?x?x?x3xf64>)
    -> (!graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x?x?xf64>, !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x2xf64>) {
  %0 = graph.grid_sampler_2d %x, %g {interpolation_mode = 0 : i64, padding_mode = 0 : i64, align_corners = false} : !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x2xf64>
  %1 = graph.grid_sampler_2d %x, %g {interpolation_mode = 0 : i64, padding_mode = 2 : i64, align_corners = true} : !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x2xf64>
  %2 = graph.grid_sampler_2d %x, %g {interpolation_mode = 2 : i64, padding_mode = 2 : i64, align_corners = false} : !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x2xf64>
  %3 = graph.grid_sampler_3d %v, %p {interpolation_mode = 1 : i64, padding_mode = 1 : i64, align_corners = true} : !graph.tensor<?x?x?x?x?xf64>, !graph.tensor<?x?x?x?x3xf64>
  %4:2 = graph.grid_sampler_2d_backward %1, %x, %g {interpolation_mode = 0 : i64, padding_mode = 2 : i64, align_corners = true, output_mask = array<i1: true, true>} : !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x2xf64>
  return %0, %1, %2, %3, %4#0, %4#1 : !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x?x?xf64>, !graph.tensor<?x?x?x?xf64>, !graph.tensor<?x?x?x2xf64>
}
