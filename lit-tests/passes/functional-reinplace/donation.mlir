// RUN: terrace-opt %s --pass-pipeline='builtin.module(graph-functionalize,canonicalize,cse,functional-reinplace)' --split-input-file | FileCheck %s

// The boundary wrote a row back; now the core writes that row into the argument's memory, and the boundary has nothing to move.
// CHECK-LABEL: func.func private @row.core(
// CHECK-SAME: tensor<8x4xf32> {functional.donated = 1 : i64}
// CHECK: %[[NEW:.*]] = functional.select_scatter {{.*}}functional.in_place = 0 : i64
// CHECK: return %{{.*}}, %[[NEW]] : tensor<8x4xf32>, tensor<8x4xf32>
// CHECK-LABEL: func.func @row(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<8x4xf32>
// CHECK: %[[R:.*]]:2 = call @row.core
// CHECK-NOT: graph.as_strided
// CHECK: graph.write_back %[[R]]#1 into %[[X]] : tensor<8x4xf32>
func.func @row(%x: !graph.tensor<8x4xf32> {graph.storage = "x"}, %r: !graph.tensor<4xf32> {graph.storage = "r"}) -> !graph.tensor<8x4xf32> {
  %a = graph.select %x index [3] : !graph.tensor<8x4xf32>
  %w = graph.copy_ %a, %r : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %n = graph.neg %x : !graph.tensor<8x4xf32>
  return %n : !graph.tensor<8x4xf32>
}

// -----

// The whole argument is written anyway.
// CHECK-LABEL: func.func private @whole.core(
// CHECK-SAME: tensor<4xf32> {functional.donated = 0 : i64}
// CHECK: functional.neg {{.*}}functional.in_place = 0 : i64
func.func @whole(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %n = graph.neg_ %x : !graph.tensor<4xf32>
  return %n : !graph.tensor<4xf32>
}

// -----

// Two regions that meet: the first value is not what lies there in the end.
// CHECK-LABEL: func.func private @crossing.core(
// CHECK-SAME: {functional.donated = 1 : i64}
// CHECK: return %{{.*}}, %{{.*}} : tensor<4x4xf32>, tensor<4x4xf32>
func.func @crossing(%x: !graph.tensor<4x4xf32> {graph.storage = "x"}, %r: !graph.tensor<4xf32> {graph.storage = "r"}) -> !graph.tensor<4x4xf32> {
  %a = graph.select %x index [3] : !graph.tensor<4x4xf32>
  %w = graph.copy_ %a, %r : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %b = graph.select %x index [1] {dim = 1 : i64} : !graph.tensor<4x4xf32>
  %v = graph.neg_ %b : !graph.tensor<4xf32>
  %n = graph.neg %x : !graph.tensor<4x4xf32>
  return %n : !graph.tensor<4x4xf32>
}

// -----

// Parts of two arguments: when the second one's whole value becomes a result, that of the first has another number.
// CHECK-LABEL: func.func private @both.core(
// CHECK-SAME: tensor<8x4x2xf32> {functional.donated = 0 : i64}, %{{.*}}: tensor<8x4x2xf32> {functional.donated = 1 : i64}
// CHECK: %[[A:.*]] = functional.slice_scatter %arg0{{.*}}functional.in_place = 0 : i64
// CHECK: %[[B:.*]] = functional.slice_scatter %arg1{{.*}}functional.in_place = 0 : i64
// CHECK: return %[[A]], %[[B]]
// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<8x4x2xf32> {graph.storage = "x"}, %[[Y:[a-z0-9]+]]: !graph.tensor<8x4x2xf32> {graph.storage = "y"}
// CHECK: %[[R:.*]]:2 = call @both.core
// CHECK: graph.write_back %[[R]]#0 into %[[X]]
// CHECK: graph.write_back %[[R]]#1 into %[[Y]]
func.func @both(%x: !graph.tensor<8x4x2xf32> {graph.storage = "x"}, %y: !graph.tensor<8x4x2xf32> {graph.storage = "y"},
                %r: !graph.tensor<8x1x2xf32> {graph.storage = "r"}) {
  %a = graph.slice %x start [1] end [2] step [1] {dim = 1 : i64} : !graph.tensor<8x4x2xf32>
  %b = graph.copy_ %a, %r : !graph.tensor<8x1x2xf32>, !graph.tensor<8x1x2xf32>
  %c = graph.slice %y start [2] end [3] step [1] {dim = 1 : i64} : !graph.tensor<8x4x2xf32>
  %d = graph.copy_ %c, %r : !graph.tensor<8x1x2xf32>, !graph.tensor<8x1x2xf32>
  return
}
