// What is taken for granted of sizes may hold for none: that is said, and terrace-run runs such a program as it is written.
// RUN: terrace-opt %s --pass-pipeline="builtin.module(func.func(graph-resolve-views),graph-functionalize)" --verify-diagnostics

// expected-error @+1 {{is on a tensor of which sizes that contradict each other are taken for granted}}
func.func @main(%x: !graph.tensor<?x?x?xi64> {graph.storage = "s1"}, %m: !graph.tensor<?xi1> {graph.storage = "s2"}) -> !graph.tensor<3x1x?xi64> {
  %0 = graph.conv1d.padding %x, %x : !graph.tensor<?x?x?xi64>, !graph.tensor<?x?x?xi64>
  %1 = graph.view %0 size [3, 1, -1] : !graph.tensor<?x?x?xi64>
  %2 = graph.view %0 size [9] : !graph.tensor<?x?x?xi64>
  %k = arith.constant 0.1 : f64
  %3 = graph.masked_fill %2, %m, %k : !graph.tensor<9xi64>, !graph.tensor<?xi1>, f64
  %4 = graph.heaviside %1, %1 : !graph.tensor<3x1x?xi64>, !graph.tensor<3x1x?xi64>
  return %4 : !graph.tensor<3x1x?xi64>
}
