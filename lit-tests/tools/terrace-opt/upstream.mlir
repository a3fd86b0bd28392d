// Upstream's passes run on functions that hold operations of ours beside its own.

// RUN: terrace-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: @scaled
//  CHECK-SAME: %[[X:[^:]+]]: !graph.tensor<4xf32>
func.func @scaled(%x: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  // CHECK: %[[K:.+]] = arith.constant 3.000000e+00 : f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %k = arith.addf %one, %two : f64
  // CHECK: graph.mul_ %[[X]], %[[K]]
  %w = graph.mul_ %x, %k : !graph.tensor<4xf32>, f64
  return %w, %x : !graph.tensor<4xf32>, !graph.tensor<4xf32>
}
