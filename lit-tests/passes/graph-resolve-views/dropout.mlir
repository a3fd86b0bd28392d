// RUN: terrace-opt %s --pass-pipeline='builtin.module(func.func(graph-resolve-views))' | FileCheck %s

// What draws is a copy; what draws nothing is the operand, or zeros.
// CHECK-LABEL: func.func @dropout
//  CHECK-SAME:   (%[[X:.*]]: !graph.tensor<2xf32>)
//       CHECK:   %[[D:.*]], %{{.*}} = graph.native_dropout %[[X]] {p = 5.000000e-01 : f64, train = true}
//       CHECK:   %[[Z:.*]] = graph.mul %[[X]]
//       CHECK:   return %[[D]], %[[X]], %[[Z]]
func.func @dropout(%x: !graph.tensor<2xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %0 = graph.dropout %x {p = 0.5 : f64, train = true} : !graph.tensor<2xf32>
  %1 = graph.dropout %x {p = 0.5 : f64, train = false} : !graph.tensor<2xf32>
  %2 = graph.dropout %x {p = 1.0 : f64, train = true} : !graph.tensor<2xf32>
  return %0, %1, %2 : !graph.tensor<2xf32>, !graph.tensor<2xf32>, !graph.tensor<2xf32>
}
