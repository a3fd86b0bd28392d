// Images whose sizes and whose new sizes the run knows, by sizes and by factors, and their gradients: the same values compiled and
// interpreted. Of equal sizes an element is not mixed; no images and ones of a single element are images.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0]}, "s1": {"dtype": "f32", "data": [-0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [2, 1, 2, 4], "strides": [8, 8, 4, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [1, 1, 4, 4], "strides": [16, 16, 4, 1], "offset": 0}]}' > %t.0.json
// RUN: terrace-run %s --inputs %t.0.json > %t.compiled
// RUN: terrace-run %s --inputs %t.0.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": []}, "s1": {"dtype": "f32", "data": [-0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [0, 2, 2, 2], "strides": [8, 4, 2, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [1, 1, 4, 8], "strides": [32, 32, 8, 1], "offset": 0}]}' > %t.1.json
// RUN: terrace-run %s --inputs %t.1.json > %t.compiled
// RUN: terrace-run %s --inputs %t.1.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5]}, "s1": {"dtype": "f32", "data": [-0.5, 3.0]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [1, 2, 1, 1], "strides": [2, 1, 1, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [1, 1, 1, 2], "strides": [2, 2, 2, 1], "offset": 0}]}' > %t.2.json
// RUN: terrace-run %s --inputs %t.2.json > %t.compiled
// RUN: terrace-run %s --inputs %t.2.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: FileCheck %s < %t.compiled

// CHECK: "sizes": [1, 2, 2, 1], "strides": [4, 2, 1, 1]
// CHECK: "sizes": [1, 2, 1, 2], "strides": [4, 2, 2, 1]
func.func @main(%x: !graph.tensor<?x?x?x?xf32>, %y: !graph.tensor<?x?x?x?xf32>)
    -> (!graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x4x?xf32>, !graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x?x?xf32>) {
  %n = graph.sym_size %x {dim = 0 : i64} : !graph.tensor<?x?x?x?xf32>
  %c = graph.sym_size %x {dim = 1 : i64} : !graph.tensor<?x?x?x?xf32>
  %h = graph.sym_size %x {dim = 2 : i64} : !graph.tensor<?x?x?x?xf32>
  %w = graph.sym_size %x {dim = 3 : i64} : !graph.tensor<?x?x?x?xf32>
  %yh = graph.sym_size %y {dim = 2 : i64} : !graph.tensor<?x?x?x?xf32>
  %yw = graph.sym_size %y {dim = 3 : i64} : !graph.tensor<?x?x?x?xf32>
  %0 = graph.upsample_nearest2d.vec %x {scale_factors = array<f64: 2.0, 1.3>} : !graph.tensor<?x?x?x?xf32>
  %1 = graph.upsample_nearest2d %x output_size [%yh, %yw] {scales_h = 3.0 : f64} : !graph.tensor<?x?x?x?xf32>
  %2 = graph.upsample_bilinear2d %x output_size [%yh, %yw] {align_corners = false} : !graph.tensor<?x?x?x?xf32>
  %3 = graph.upsample_bicubic2d.vec %x, %yw {output_size = array<i64: 4, -9223372036854775808>, align_corners = false} : !graph.tensor<?x?x?x?xf32>, i64
  %4 = graph.upsample_bilinear2d_backward %2 output_size [%yh, %yw] input_size [%n, %c, %h, %w] {align_corners = false} : !graph.tensor<?x?x?x?xf32>
  %5 = graph.upsample_nearest2d_backward %1 output_size [%yh, %yw] input_size [%n, %c, %h, %w] : !graph.tensor<?x?x?x?xf32>
  %6 = graph.upsample_bicubic2d_backward %3 output_size [4, %yw] input_size [%n, %c, %h, %w] {align_corners = false} : !graph.tensor<?x?x4x?xf32>
  return %0, %1, %2, %3, %4, %5, %6 : !graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x4x?xf32>, !graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x?x?xf32>, !graph.tensor<?x?x?x?xf32>
}
