// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// Why: a recurrent network over as many steps as the run says is a loop, which carries its states and its output along.
// CHECK-LABEL: func.func private @steps.core
//   CHECK-DAG:   %[[GATES:.*]] = functional.linear %{{.*}}, %{{.*}} : tensor<?x1x2xf32>
//   CHECK-DAG:   %[[ALL:.*]] = functional.full
//       CHECK:   %[[R:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[OUT:.*]] = %[[ALL]], %[[H:.*]] = %{{.*}}) -> (tensor<?x1x2xf32>, tensor<1x2xf32>)
//       CHECK:     %[[T:.*]] = arith.index_cast %[[I]]
//       CHECK:     functional.linear %[[H]]
//       CHECK:     functional.select %[[GATES]] index [%[[T]]]
//       CHECK:     %[[NEW:.*]] = functional.relu
//       CHECK:     %[[OUT2:.*]] = functional.select_scatter %[[OUT]], %[[NEW]] index [%[[T]]]
//       CHECK:     scf.yield %[[OUT2]], %[[NEW]]
func.func @steps(%x: !graph.tensor<?x1x2xf32>, %h: !graph.tensor<1x1x2xf32>, %w: !graph.tensor<2x2xf32>) -> !graph.tensor<?x1x2xf32> {
  %0:2 = graph.rnn_relu.input %x state %h params %w, %w {has_biases = false, num_layers = 1, dropout = 0.0, train = false, bidirectional = false, batch_first = false}
      : !graph.tensor<?x1x2xf32> state !graph.tensor<1x1x2xf32> params !graph.tensor<2x2xf32>, !graph.tensor<2x2xf32>
  return %0#0 : !graph.tensor<?x1x2xf32>
}
