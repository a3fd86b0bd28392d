// RUN: terrace-opt %s --graph-functionalize | FileCheck %s
// RUN: terrace-opt %s --graph-functionalize -o %t.once.mlir
// RUN: terrace-opt %s --graph-functionalize --graph-functionalize -o %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir

// Values flow through pure operations of other dialects; they stay where they are.
// CHECK-LABEL: func.func private @mixed.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4xf32>, %[[Y:[a-z0-9]+]]: tensor<4xf32>, %[[K:.*]]: f64)
// CHECK: %[[R:.*]] = functional.relu %[[X]]
// CHECK: %[[A:.*]] = arith.addf %[[R]], %[[Y]] : tensor<4xf32>
// CHECK: %[[E:.*]] = functional.exp %[[A]]
// CHECK: %[[D:.*]] = arith.addf %[[K]], %[[K]]
// CHECK: return %[[D]], %[[E]], %[[R]]
// CHECK: func.func @mixed(%[[GX:[a-z0-9]+]]: {{.*}}, %[[GY:[a-z0-9]+]]: {{.*}}, %[[GK:[a-z0-9]+]]: f64)
// CHECK: %[[V:.*]] = graph.value %[[GX]]
// CHECK: %[[C:.*]]:3 = call @mixed.core(%[[V]], %[[GY]], %[[GK]])
// CHECK: graph.write_back %[[C]]#2 into %[[GX]]
// CHECK: %[[F:.*]] = graph.fresh %[[C]]#1
// CHECK: return %[[C]]#0, %[[F]]
func.func @mixed(%x: !graph.tensor<4xf32>, %y: tensor<4xf32>, %k: f64) -> (f64, !graph.tensor<4xf32>) {
  %w = graph.relu_ %x : !graph.tensor<4xf32>
  %v = graph.value %x : !graph.tensor<4xf32>
  %a = arith.addf %v, %y : tensor<4xf32>
  %f = graph.fresh %a : tensor<4xf32>
  %e = graph.exp_ %f : !graph.tensor<4xf32>
  %d = arith.addf %k, %k : f64
  return %d, %f : f64, !graph.tensor<4xf32>
}

// Functions without graph tensors, and declarations, stay.
// CHECK: func.func @other(%{{.*}}: f32) -> f32 {
func.func @other(%x: f32) -> f32 { return %x : f32 }
// CHECK: func.func private @declared(!graph.tensor<4xf32>)
func.func private @declared(!graph.tensor<4xf32>)
