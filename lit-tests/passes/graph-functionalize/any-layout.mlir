// RUN: terrace-opt %s --graph-functionalize --split-input-file | FileCheck %s
// RUN: terrace-opt %s --graph-functionalize --split-input-file | terrace-opt --graph-functionalize --split-input-file | FileCheck %s

// The core knows nothing of strides. On the boundary a view is the operation that it was. What is written in part may repeat elements beside it:
// a guard asks.
// CHECK-LABEL: func.func private @views.core
// CHECK-SAME: (%[[X:.*]]: tensor<4x6xf32> {functional.layout = strided<[?, ?], offset: ?>}) -> tensor<6xf32>
// CHECK: %[[R:.*]] = functional.select %[[X]] index [1]
// CHECK: %[[N:.*]] = functional.neg %[[R]]
// CHECK: return %[[N]]
// CHECK: func.func @views(%[[A:[a-z0-9]+]]: !graph.tensor<4x6xf32> {graph.layout = "any"})
// CHECK: %[[D:.*]] = graph.check_distinct %[[A]]
// CHECK-NEXT: graph.guard %[[D]], "argument 0, which is written, repeats no element"
// CHECK-NEXT: graph.value %[[A]]
// CHECK: %[[C:.*]] = call @views.core
// CHECK: %[[T:.*]] = graph.t %[[A]]
// CHECK: %[[V:.*]] = graph.select %[[T]] index [%{{.*}}] {dim = 1 : i64}
// CHECK: graph.write_back %[[C]] into %[[V]]
// CHECK: return %[[V]], %[[T]]
func.func @views(%x: !graph.tensor<4x6xf32> {graph.layout = "any"}) -> (!graph.tensor<6xf32>, !graph.tensor<6x4xf32>) {
  %one = arith.constant 1 : i64
  %t = graph.t %x : !graph.tensor<4x6xf32>
  %r = graph.select %t index [%one] {dim = 1 : i64} : !graph.tensor<6x4xf32>
  %w = graph.neg_ %r : !graph.tensor<6xf32>
  return %w, %t : !graph.tensor<6xf32>, !graph.tensor<6x4xf32>
}

// -----

// Where all regions make the argument up it is written as a whole; a shape comes as numbers.
// CHECK-LABEL: func.func @whole
// CHECK-SAME: (%[[X:[a-z0-9]+]]:
// CHECK: %[[C:.*]] = call @whole.core
// CHECK-NEXT: graph.write_back %[[C]] into %[[X]]
// CHECK-NEXT: %[[V:.*]] = graph.expand %[[X]] size [3, 4]
// CHECK-NEXT: return %[[V]]
func.func @whole(%x: !graph.tensor<4xf32> {graph.layout = "any", graph.storage = "x"}, %y: !graph.tensor<3x4xf32> {graph.storage = "y"})
    -> !graph.tensor<3x4xf32> {
  %a = graph.slice %x start [0] end [2] step [1] : !graph.tensor<4xf32>
  %b = graph.slice %x start [2] end [4] step [1] : !graph.tensor<4xf32>
  %c = graph.neg_ %a : !graph.tensor<2xf32>
  %d = graph.relu_ %b : !graph.tensor<2xf32>
  %e = graph.expand_as %x, %y : !graph.tensor<4xf32>, !graph.tensor<3x4xf32>
  return %e : !graph.tensor<3x4xf32>
}

// -----

// What repeats is filled once: the boundary has no tensor for it, and writes the whole.
// CHECK-LABEL: func.func @filled
// CHECK-SAME: (%[[X:[a-z0-9]+]]:
// CHECK: graph.write_back %{{.*}} into %[[X]] : tensor<2x4xf32>
func.func @filled(%x: !graph.tensor<2x4xf32> {graph.layout = "any"}) {
  %k = arith.constant 1.0 : f64
  %r = graph.select %x index [0] : !graph.tensor<2x4xf32>
  %e = graph.expand %r size [3, 4] : !graph.tensor<4xf32>
  %w = graph.fill_ %e, %k : !graph.tensor<3x4xf32>, f64
  return
}

// -----

// Two tensors of one layout stay two.
// CHECK-LABEL: func.func @twice
// CHECK-SAME: (%[[X:[a-z0-9]+]]:
// CHECK: %[[A:.*]] = graph.t %[[X]]
// CHECK: %[[B:.*]] = graph.t %[[X]]
// CHECK: %[[C:.*]] = graph.alias %[[B]]
// CHECK: return %[[A]], %[[C]], %[[A]]
func.func @twice(%x: !graph.tensor<2x4xf32> {graph.layout = "any"})
    -> (!graph.tensor<4x2xf32>, !graph.tensor<4x2xf32>, !graph.tensor<4x2xf32>) {
  %a = graph.t %x : !graph.tensor<2x4xf32>
  %b = graph.t %x : !graph.tensor<2x4xf32>
  return %a, %b, %a : !graph.tensor<4x2xf32>, !graph.tensor<4x2xf32>, !graph.tensor<4x2xf32>
}

// -----

// One storage that nobody writes may hold any number of them.
// CHECK-LABEL: func.func private @read.core
// CHECK-SAME: (%{{.*}}: tensor<4xf32> {functional.layout = strided<[?], offset: ?>}, %{{.*}}: tensor<4xf32>)
func.func @read(%x: !graph.tensor<4xf32> {graph.storage = "s", graph.layout = "any"}, %y: !graph.tensor<4xf32> {graph.storage = "s"})
    -> !graph.tensor<4xf32> {
  %0 = graph.add %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}
