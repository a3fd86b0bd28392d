// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --split-input-file | FileCheck %s

// The class of a sample, unless it is the one that is ignored.
// CHECK-LABEL: func.func @loss(
// CHECK: cf.assert %{{.*}}, "Target is out of bounds."
// CHECK: %[[SUM:.*]] = loop.reduction add over (%[[N:.*]] = 8)
// CHECK: loop.load %arg0[%[[N]], %{{.*}}]
// CHECK: %[[TOTAL:.*]] = loop.reduction add over (%{{.*}} = 8)
// CHECK: arith.divf
func.func @loss(%x: tensor<8x10xf32>, %t: tensor<8xi64>) -> (tensor<f32>, tensor<f32>) {
  %0:2 = functional.nll_loss_forward %x, %t {reduction = 1 : i64, ignore_index = -100 : i64} : tensor<8x10xf32>, tensor<8xi64>
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// -----

// CHECK-LABEL: func.func @gradient(
// CHECK: loop.pointwise (%[[N:.*]] = 8, %[[C:.*]] = 10)
// CHECK: loop.load %arg2[%[[N]]]
// CHECK: arith.index_cast %[[C]]
// CHECK: arith.select
func.func @gradient(%g: tensor<f32>, %x: tensor<8x10xf32>, %t: tensor<8xi64>, %total: tensor<f32>) -> tensor<8x10xf32> {
  %0 = functional.nll_loss_backward %g, %x, %t total %total {reduction = 2 : i64, ignore_index = -100 : i64}
       : tensor<f32>, tensor<8x10xf32>, tensor<8xi64>, tensor<f32>
  return %0 : tensor<8x10xf32>
}

// -----

// All elements are looked at in front of what uses them; a nan is in no range.
// CHECK-LABEL: func.func @probabilities(
// CHECK: loop.reduction and over (%[[N:.*]] = 8)
// CHECK-DAG: arith.cmpf oge
// CHECK-DAG: arith.cmpf ole
// CHECK: cf.assert %{{.*}}, "no probabilities"
// CHECK: return %arg0
func.func @probabilities(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = functional.within %x {low = 0.0 : f64, high = 1.0 : f64, message = "no probabilities"} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
