// RUN: terrace-opt %s --pass-pipeline='builtin.module(func.func(graph-resolve-views))' | FileCheck %s

// What draws is a product with noise; what draws nothing is the operand, or zeros.
// CHECK-LABEL: func.func @dropout
//  CHECK-SAME:   (%[[X:.*]]: !graph.tensor<2xf32>)
//       CHECK:   %[[E:.*]] = graph.full_like %[[X]]
//       CHECK:   %[[K:.*]] = graph.bernoulli_ %[[E]] {p = 7.500000e-01 : f64}
//       CHECK:   %[[S:.*]] = arith.constant 7.500000e-01 : f64
//       CHECK:   %[[N:.*]] = graph.div_ %[[K]], %[[S]]
//       CHECK:   %[[D:.*]] = graph.mul %[[X]], %[[N]]
//       CHECK:   %[[Z:.*]] = graph.mul %[[X]]
//       CHECK:   return %[[D]], %[[X]], %[[Z]]
func.func @dropout(%x: !graph.tensor<2xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %0 = graph.dropout %x {p = 0.25 : f64, train = true} : !graph.tensor<2xf32>
  %1 = graph.dropout %x {p = 0.5 : f64, train = false} : !graph.tensor<2xf32>
  %2 = graph.dropout %x {p = 1.0 : f64, train = true} : !graph.tensor<2xf32>
  return %0, %1, %2 : !graph.tensor<2xf32>, !graph.tensor<2xf32>, !graph.tensor<2xf32>
}

// In place the product is; `native_dropout` scales what is kept, and of nothing gives its operand.
// CHECK-LABEL: func.func @others
//  CHECK-SAME:   (%[[X:.*]]: !graph.tensor<2xf32>, %[[N:.*]]: !graph.tensor<0xf32>)
//       CHECK:   graph.mul_ %[[X]]
//       CHECK:   %[[K:.*]] = graph.bernoulli_ %{{.*}} : !graph.tensor<2xi1>
//       CHECK:   %[[P:.*]] = graph.mul %[[X]], %[[K]]
//       CHECK:   %[[M:.*]] = graph.mul_ %[[P]], %{{.*}} : !graph.tensor<2xf32>, f64
//       CHECK:   return %[[M]], %[[K]], %[[N]]
func.func @others(%x: !graph.tensor<2xf32>, %n: !graph.tensor<0xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<2xi1>, !graph.tensor<0xf32>) {
  %0 = graph.dropout_ %x {p = 0.5 : f64, train = true} : !graph.tensor<2xf32>
  %1:2 = graph.native_dropout %x {p = 0.5 : f64} : !graph.tensor<2xf32>
  %2:2 = graph.native_dropout %n {p = 0.5 : f64} : !graph.tensor<0xf32>
  return %1#0, %1#1, %2#0 : !graph.tensor<2xf32>, !graph.tensor<2xi1>, !graph.tensor<0xf32>
}
