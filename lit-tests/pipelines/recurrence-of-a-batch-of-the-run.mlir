// Recurrent networks are unrolled over a sequence whose steps types say; batches, features and packed rows may be of any size.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, -3, 4, 5, -6, 7, 8]}, "h": {"dtype": "f32", "data": [1, 0, 2, -1]}, "w": {"dtype": "f32", "data": [1, -2, 3, 1]}, "u": {"dtype": "f32", "data": [2, 1, -1, 1]}}, "args": [{"storage": "x", "sizes": [2, 2, 2]}, {"storage": "h", "sizes": [1, 2, 2]}, {"storage": "w", "sizes": [2, 2]}, {"storage": "u", "sizes": [2, 2]}]}' > %t.json
// RUN: terrace-check %s --entry=relu --inputs %t.json
// RUN: terrace-run %s --entry=relu --inputs %t.json > %t.compiled
// RUN: terrace-run %s --entry=relu --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s < %t.compiled
// CHECK: "sizes": [2, 2, 2]
func.func @relu(%x: !graph.tensor<2x?x?xf32>, %h: !graph.tensor<1x?x?xf32>, %w: !graph.tensor<?x?xf32>, %u: !graph.tensor<?x?xf32>) -> !graph.tensor<2x?x?xf32> {
  %0:2 = graph.rnn_relu.input %x state %h params %w, %u {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false, batch_first = false}
      : !graph.tensor<2x?x?xf32> state !graph.tensor<1x?x?xf32> params !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>
  return %0#0 : !graph.tensor<2x?x?xf32>
}

// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, -3, 4, 5, -6]}, "n": {"dtype": "i64", "data": [2, 1]}, "h": {"dtype": "f32", "data": [1, 0, 2, -1]}, "w": {"dtype": "f32", "data": [1, -2, 3, 1]}, "u": {"dtype": "f32", "data": [2, 1, -1, 1]}}, "args": [{"storage": "x", "sizes": [3, 2]}, {"storage": "n", "sizes": [2]}, {"storage": "h", "sizes": [1, 2, 2]}, {"storage": "w", "sizes": [2, 2]}, {"storage": "u", "sizes": [2, 2]}]}' > %t.packed.json
// RUN: terrace-run %s --entry=packed --inputs %t.packed.json > %t.compiled
// RUN: terrace-run %s --entry=packed --inputs %t.packed.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s --check-prefix=PACKED < %t.compiled
// PACKED: "sizes": [3, 2]
// PACKED: "sizes": [1, 2, 2]
func.func @packed(%x: !graph.tensor<?x2xf32>, %n: !graph.tensor<2xi64>, %h: !graph.tensor<1x?x2xf32>, %w: !graph.tensor<2x2xf32>, %u: !graph.tensor<2x2xf32>) -> (!graph.tensor<?x2xf32>, !graph.tensor<1x?x2xf32>) {
  %0:2 = graph.rnn_relu.data %x, %n state %h params %w, %u {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false}
      : !graph.tensor<?x2xf32>, !graph.tensor<2xi64> state !graph.tensor<1x?x2xf32> params !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>
  return %0#0, %0#1 : !graph.tensor<?x2xf32>, !graph.tensor<1x?x2xf32>
}

// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, -3, 4, 5, -6]}, "h": {"dtype": "f32", "data": [1, 0, 2, -1, 0.5, 0, 1, 1]}, "w": {"dtype": "f32", "data": [1, -2, 3, 1, 0.5, 2, 0.25, 1, -1, 0.5, 2, 1, -2, 0.5, 0, 1]}}, "args": [{"storage": "x", "sizes": [3, 2, 1]}, {"storage": "h", "sizes": [2, 3, 1], "strides": [3, 1, 1]}, {"storage": "h", "sizes": [2, 3, 1], "strides": [4, 1, 1]}, {"storage": "w", "sizes": [4, 1]}, {"storage": "w", "sizes": [4, 1], "strides": [2, 1]}, {"storage": "w", "sizes": [3, 1]}, {"storage": "w", "sizes": [3, 1], "strides": [3, 1]}]}' > %t.gates.json
// RUN: terrace-check %s --entry=gates --inputs %t.gates.json
func.func @gates(%x: !graph.tensor<?x2x1xf32>, %h: !graph.tensor<2x?x1xf32>, %c: !graph.tensor<2x?x1xf32>, %w: !graph.tensor<4x1xf32>, %u: !graph.tensor<4x1xf32>, %g: !graph.tensor<3x1xf32>, %v: !graph.tensor<3x1xf32>) -> (!graph.tensor<?x2x2xf32>, !graph.tensor<2x?x1xf32>, !graph.tensor<?x2x2xf32>) {
  %0:3 = graph.lstm.input %x state %h, %c params %w, %u, %w, %u {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = true, batch_first = true}
      : !graph.tensor<?x2x1xf32> state !graph.tensor<2x?x1xf32>, !graph.tensor<2x?x1xf32> params !graph.tensor<4x1xf32>, !graph.tensor<4x1xf32>, !graph.tensor<4x1xf32>, !graph.tensor<4x1xf32>
  %1:2 = graph.gru.input %x state %h params %g, %v, %g, %v {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = true, batch_first = true}
      : !graph.tensor<?x2x1xf32> state !graph.tensor<2x?x1xf32> params !graph.tensor<3x1xf32>, !graph.tensor<3x1xf32>, !graph.tensor<3x1xf32>, !graph.tensor<3x1xf32>
  return %0#0, %0#2, %1#0 : !graph.tensor<?x2x2xf32>, !graph.tensor<2x?x1xf32>, !graph.tensor<?x2x2xf32>
}
