// RUN: terrace-opt %s --cse --canonicalize | FileCheck %s

// Each draw is another one, and takes the generator on: none goes, none is merged.
// CHECK-LABEL: func.func @"not-merged-each-draws"
// CHECK: graph.rand [2, 3]
// CHECK: graph.rand [2, 3]
// CHECK: graph.bernoulli.p %{{.*}} {p = 5.000000e-01 : f64}
// CHECK: graph.uniform_ %{{.*}} {to = 2.000000e+00 : f64}
// CHECK: graph.dropout %{{.*}} {p = 5.000000e-01 : f64, train = true}
// CHECK: graph.randperm {n = 4 : i64}
func.func @"not-merged-each-draws"(%x: !graph.tensor<2xf32>) {
  %0 = graph.rand [2, 3]
  %1 = graph.rand [2, 3]
  %2 = graph.bernoulli.p %x {p = 0.5 : f64} : !graph.tensor<2xf32>
  %3 = graph.uniform_ %x {to = 2.0 : f64} : !graph.tensor<2xf32>
  %4 = graph.dropout %x {p = 0.5 : f64, train = true} : !graph.tensor<2xf32>
  %5 = graph.randperm {n = 4 : i64}
  return
}
