// A recurrent network is unrolled over its sequence.
// RUN: not terrace-opt %s --graph-functionalize 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: error: 'graph.rnn_relu.input' op is unrolled step by step: expects a sequence of a static number of steps, got s0
func.func @steps(%x: !graph.tensor<?x1x2xf32>, %h: !graph.tensor<1x1x2xf32>, %w: !graph.tensor<2x2xf32>) -> !graph.tensor<?x1x2xf32> {
  %0:2 = graph.rnn_relu.input %x state %h params %w, %w {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false, batch_first = false}
      : !graph.tensor<?x1x2xf32> state !graph.tensor<1x1x2xf32> params !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>
  return %0#0 : !graph.tensor<?x1x2xf32>
}
